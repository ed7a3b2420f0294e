// The programs of the graphics processor. Colours are sRGB outside and linear inside.

const LIGHT = `
uniform highp sampler2DShadow shadowMap;
uniform vec3 lightDirection;
uniform float shadowTexel;

/** How much of the light arrives: the mean of 25 comparisons, so that edges of shadows are soft. */
float lit(vec3 place) {
  if (any(lessThan(place, vec3(0.0))) || any(greaterThan(place, vec3(1.0)))) return 1.0;
  float total = 0.0;
  for (int i = -2; i <= 2; i++)
    for (int j = -2; j <= 2; j++)
      total += texture(shadowMap, place + vec3(vec2(i, j) * 1.3 * shadowTexel, 0.0));
  return total / 25.0;
}
vec3 linear(vec3 color) { return pow(color, vec3(2.2)); }
vec3 display(vec3 color) { return pow(color, vec3(1.0 / 2.2)); }
`;

const MESH_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 color;
uniform mat4 model, camera, light;
uniform vec3 inverseSquares;
uniform float shadowOffset; // along the normal, against shadows of a surface on itself
uniform vec2 outline; // in units of the screen; zero for the body itself
out vec3 atWorld, normalWorld, tint, inShadow;
void main() {
  vec4 world = model * vec4(position, 1.0);
  atWorld = world.xyz;
  normalWorld = mat3(model) * (normal * inverseSquares);
  tint = color;
  vec4 off = vec4(normalize(normalWorld) * shadowOffset, 0.0);
  inShadow = (light * (world + off)).xyz * 0.5 + 0.5;
  gl_Position = camera * world;
  vec2 sideways = (camera * vec4(normalize(normalWorld), 0.0)).xy;
  gl_Position.xy += outline * normalize(sideways + 1e-9) * gl_Position.w;
}`;

const MESH_FRAGMENT = `#version 300 es
precision highp float;
in vec3 atWorld, normalWorld, tint, inShadow;
uniform vec3 color, eye, up, sky, bounce;
uniform float opacity, flatColor, ground, size;
out vec4 pixel;
${LIGHT}
void main() {
  if (flatColor > 0.5) { pixel = vec4(color, 1.0); return; }
  vec3 base = linear(color * tint);
  vec3 toEye = normalize(eye - atWorld);
  vec3 n = normalize(normalWorld);
  if (dot(n, toEye) < 0.0) n = -n;
  vec3 halfway = normalize(lightDirection + toEye);
  float facing = max(dot(n, lightDirection), 0.0);
  float direct = facing * lit(inShadow);
  float open = mix(0.7, 1.0, smoothstep(0.0, 0.3, (dot(atWorld, up) - ground) / size)); // darker near the ground
  vec3 ambient = open * mix(bounce, sky, 0.5 + 0.5 * dot(n, up));
  float fill = 0.18 * max(dot(n, toEye), 0.0);
  float shine = pow(max(dot(n, halfway), 0.0), 48.0) * step(0.001, direct) * 0.35 * direct;
  float rim = pow(1.0 - max(dot(n, toEye), 0.0), 4.0) * 0.16;
  vec3 shaded = base * (ambient + 1.5 * direct + fill) + shine + rim * sky;
  pixel = vec4(display(shaded / (1.0 + 0.18 * shaded)), 1.0) * opacity;
}`;

const SHADOW_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
uniform mat4 model, light;
void main() { gl_Position = light * model * vec4(position, 1.0); }`;

const SHADOW_FRAGMENT = `#version 300 es
precision mediump float;
void main() {}`;

const BACKGROUND_VERTEX = `#version 300 es
out float height;
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  height = 0.5 + 0.5 * corner.y;
  gl_Position = vec4(corner, 1.0, 1.0);
}`;

const BACKGROUND_FRAGMENT = `#version 300 es
precision highp float;
in float height;
uniform vec3 above, below;
out vec4 pixel;
void main() { pixel = vec4(mix(below, above, height), 1.0); }`;

const GROUND_VERTEX = `#version 300 es
uniform mat4 camera, light;
uniform vec3 origin, first, second;
uniform float reach;
out vec2 inPlane;
out vec3 inShadow;
void main() {
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0) * reach;
  vec3 world = origin + first * corner.x + second * corner.y;
  inPlane = corner;
  inShadow = (light * vec4(world, 1.0)).xyz * 0.5 + 0.5;
  gl_Position = camera * vec4(world, 1.0);
}`;

const GROUND_FRAGMENT = `#version 300 es
precision highp float;
in vec2 inPlane;
in vec3 inShadow;
uniform vec3 lineColor;
uniform vec2 shift;
uniform float spacing, reach, showGrid, shadowStrength;
out vec4 pixel;
${LIGHT}
/** Lines of a width in pixels, at multiples of a distance; fainter where they would be closer than pixels. */
float lines(vec2 place, float distance, float width) {
  vec2 cell = place / distance;
  vec2 change = fwidth(cell);
  vec2 near = abs(fract(cell - 0.5) - 0.5) / change;
  vec2 line = (1.0 - smoothstep(width - 0.5, width + 0.5, near)) * (1.0 - smoothstep(0.15, 0.5, change));
  return max(line.x, line.y);
}
void main() {
  float away = length(inPlane) / reach;
  float fade = 1.0 - smoothstep(0.1, 0.9, away);
  vec2 place = inPlane + shift;
  float line = showGrid * max(0.16 * lines(place, spacing, 0.5), 0.34 * lines(place, 5.0 * spacing, 0.7));
  float shadow = shadowStrength * (1.0 - lit(inShadow));
  float alpha = line * fade;
  // Premultiplied: lines over shadow.
  pixel = vec4(lineColor * alpha, alpha + shadow * fade * (1.0 - alpha));
}`;

// A segment of a trace is a rectangle of constant width on the screen.
const TRACE_VERTEX = `#version 300 es
layout(location = 0) in vec4 begin; // x y z and time
layout(location = 1) in vec4 end;
uniform mat4 camera;
uniform vec2 viewport;
uniform float width;
out float time;
void main() {
  vec4 a = camera * vec4(begin.xyz, 1.0);
  vec4 b = camera * vec4(end.xyz, 1.0);
  vec2 direction = normalize((b.xy / b.w - a.xy / a.w) * viewport + 1e-6);
  vec2 across = vec2(-direction.y, direction.x) / viewport * width;
  bool atEnd = gl_VertexID >= 2;
  vec4 place = atEnd ? b : a;
  float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
  vec2 longer = direction / viewport * (atEnd ? 0.5 : -0.5) * width;
  place.xy += (across * side + longer) * place.w;
  time = atEnd ? end.w : begin.w;
  gl_Position = place;
}`;

const TRACE_FRAGMENT = `#version 300 es
precision highp float;
in float time;
uniform vec3 color;
uniform float now, memory;
out vec4 pixel;
void main() {
  if (time > now) discard;
  float age = clamp((now - time) / memory, 0.0, 1.0);
  pixel = vec4(color, 1.0) * mix(0.95, 0.25, age);
}`;
