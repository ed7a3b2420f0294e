// Draws the scene at a time: shadows first, then background, ground, bodies, traces, what is transparent.

const SHADOW_PIXELS = 2048;
const THEMES = {
  light: {
    above: [0.93, 0.95, 0.97], below: [0.985, 0.988, 0.992], line: [0.46, 0.53, 0.6], shadow: 0.3,
    sky: [0.62, 0.66, 0.72], bounce: [0.36, 0.35, 0.34], accent: [0.2, 0.4, 0.67],
  },
  dark: {
    above: [0.06, 0.075, 0.095], below: [0.13, 0.15, 0.18], line: [0.42, 0.48, 0.55], shadow: 0.55,
    sky: [0.44, 0.48, 0.55], bounce: [0.16, 0.16, 0.17], accent: [0.5, 0.7, 0.95],
  },
};

class Renderer {
  constructor(canvas, scene) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
    if (!gl) throw new Error("This browser has no WebGL 2, which the 3-D view needs.");
    this.gl = gl;
    this.canvas = canvas;
    this.scene = scene;
    this.up = unit(scene.up);
    this.lightDirection = this.directionOfLight();
    this.programs = {
      mesh: this.program(MESH_VERTEX, MESH_FRAGMENT),
      shadow: this.program(SHADOW_VERTEX, SHADOW_FRAGMENT),
      background: this.program(BACKGROUND_VERTEX, BACKGROUND_FRAGMENT),
      ground: this.program(GROUND_VERTEX, GROUND_FRAGMENT),
      trace: this.program(TRACE_VERTEX, TRACE_FRAGMENT),
    };
    this.meshes = scene.meshes.map((mesh) => this.uploadMesh(mesh));
    this.traces = scene.traces.map((trace) => this.uploadTrace(trace));
    this.empty = gl.createVertexArray();
    this.createShadowMap();
  }

  // -- what is made once --------------------------------------------------------------------------------------------

  /** From above, to the left of the camera, so that shadows fall to the right and away. */
  directionOfLight() {
    const toCamera = subtract(this.scene.camera.position, this.scene.camera.target);
    const level = unit(subtract(toCamera, scaled(this.up, dot(toCamera, this.up))));
    const left = cross(level, this.up);
    return unit(add(add(scaled(this.up, 1.5), scaled(level, 0.75)), scaled(left, 0.85)));
  }

  program(vertexSource, fragmentSource) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertexSource], [gl.FRAGMENT_SHADER, fragmentSource]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const uniforms = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
      const { name, type } = gl.getActiveUniform(program, k);
      uniforms[name] = { place: gl.getUniformLocation(program, name), type };
    }
    return { program, uniforms };
  }

  uploadMesh(mesh) {
    const gl = this.gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const attributes = [
      [mesh.vertices, gl.FLOAT, false], [mesh.normals, gl.BYTE, true], [mesh.colors, gl.UNSIGNED_BYTE, true],
    ];
    attributes.forEach(([data, type, normalized], location) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, 3, type, normalized, 0, 0);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, mesh.faces, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { array, count: mesh.faces.length };
  }

  /** The points of a trace with their times, read twice: as the begin and as the end of a segment. */
  uploadTrace(trace) {
    const gl = this.gl;
    const { times, values } = trace.points;
    const rows = new Float32Array(4 * times.length);
    times.forEach((time, k) => rows.set([...values.subarray(3 * k, 3 * k + 3), time - this.scene.start], 4 * k));
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, rows, gl.STATIC_DRAW);
    for (const location of [0, 1]) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, 4, gl.FLOAT, false, 16, 16 * location);
      gl.vertexAttribDivisor(location, 1);
    }
    gl.bindVertexArray(null);
    return { array, count: times.length - 1, color: trace.color };
  }

  createShadowMap() {
    const gl = this.gl;
    this.shadowTexture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadowTexture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_PIXELS, SHADOW_PIXELS);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    this.shadowBuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowBuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadowTexture, 0);
    gl.drawBuffers([gl.NONE]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // -- what is made for every picture -------------------------------------------------------------------------------

  use(name, values) {
    const gl = this.gl;
    const { program, uniforms } = this.programs[name];
    gl.useProgram(program);
    this.current = uniforms;
    this.set(values);
  }

  set(values) {
    const gl = this.gl;
    for (const [name, value] of Object.entries(values)) {
      const uniform = this.current[name];
      if (!uniform) continue; // not used by this program
      if (uniform.type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(uniform.place, false, value);
      else if (uniform.type === gl.FLOAT_VEC3) gl.uniform3fv(uniform.place, value);
      else if (uniform.type === gl.FLOAT_VEC2) gl.uniform2fv(uniform.place, value);
      else if (uniform.type === gl.SAMPLER_2D_SHADOW) gl.uniform1i(uniform.place, value);
      else gl.uniform1f(uniform.place, value);
    }
  }

  drawMesh(number) {
    const mesh = this.meshes[number];
    this.gl.bindVertexArray(mesh.array);
    this.gl.drawElements(this.gl.TRIANGLES, mesh.count, this.gl.UNSIGNED_INT, 0);
  }

  drawBody(body) {
    this.set({
      model: body.model, color: body.color, opacity: body.opacity,
      inverseSquares: body.scale.map((factor) => 1 / (factor * factor || 1)),
    });
    this.drawMesh(body.mesh);
  }

  /** The coordinates of every item. */
  frames(state) {
    const { scene } = this;
    const size = scaled([1, 1, 1], 0.08 * scene.size);
    return scene.items.map((item) => {
      const { position, rotation } = poseOf(item, state.time);
      return body({ mesh: scene.axes, color: [1, 1, 1] }, position, rotation, size);
    });
  }

  /** Everything solid: items, and arrows if they are shown. */
  bodies(state) {
    const { scene } = this;
    const found = scene.items.map((item) => {
      const pose = poseOf(item, state.time);
      return body(item, pose.position, pose.rotation, pose.scale);
    });
    if (state.forces) {
      for (const arrow of scene.arrows) {
        const row = arrow.track.at(state.time);
        const vector = row.slice(3);
        const length = norm(vector);
        if (length < 1e-4 * scene.size) continue;
        const thickness = Math.min(0.3 * scene.size, length);
        const part = { mesh: scene.arrow, color: arrow.color };
        found.push(body(part, row.slice(0, 3), turnFromZ(vector), [thickness, thickness, length]));
      }
    }
    return found;
  }

  /** The view of the light: around what the camera looks at, no larger than the scene. */
  viewOfLight(camera) {
    const reach = Math.min(0.75 * this.scene.size, 0.9 * camera.distance);
    const center = reach < 0.75 * this.scene.size ? camera.target : this.scene.center;
    const far = this.scene.size + reach;
    const view = lookAt(add(center, scaled(this.lightDirection, far)), center, perpendicularAxis(this.lightDirection));
    const light = multiplied(orthographic(reach, 0.01 * far, 2 * far), view);
    return { light, texel: (2 * reach) / SHADOW_PIXELS };
  }

  render(state, camera, theme) {
    const gl = this.gl;
    const bodies = this.bodies(state);
    const { light, texel } = this.viewOfLight(camera);
    this.renderShadows(bodies, light);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.disable(gl.CULL_FACE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowTexture);
    const common = {
      camera: camera.matrix(), light, eye: camera.eye(), up: this.up, lightDirection: this.lightDirection,
      shadowMap: 0, shadowTexel: 1 / SHADOW_PIXELS, shadowOffset: 3 * texel, sky: theme.sky, bounce: theme.bounce,
      ground: this.scene.ground ?? -1e30, size: this.scene.size,
    };
    this.renderBackground(theme);
    this.renderBodies(bodies.filter((body) => body.opacity >= 1), common);
    this.renderOutline(bodies.find((body) => body.name !== undefined && body.name === state.picked), common, theme);
    if (state.traces) this.renderTraces(state, common);
    this.renderGround(state, camera, common, theme);
    const distance = (body) => norm(subtract(body.position, camera.eye()));
    const transparent = bodies.filter((body) => body.opacity < 1).sort((a, b) => distance(b) - distance(a));
    gl.depthMask(false);
    this.renderBodies(transparent, common);
    gl.depthMask(true);
    if (state.frames) {
      gl.clear(gl.DEPTH_BUFFER_BIT); // over everything else: their origins are inside of bodies
      this.renderBodies(this.frames(state), common);
    }
    gl.bindVertexArray(null);
  }

  renderShadows(bodies, light) {
    const gl = this.gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowBuffer);
    gl.viewport(0, 0, SHADOW_PIXELS, SHADOW_PIXELS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2.5, 6);
    this.use("shadow", { light });
    for (const body of bodies) {
      if (body.opacity < 0.5) continue;
      this.set({ model: body.model });
      this.drawMesh(body.mesh);
    }
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  renderBackground(theme) {
    const gl = this.gl;
    gl.disable(gl.DEPTH_TEST);
    this.use("background", { above: theme.above, below: theme.below });
    gl.bindVertexArray(this.empty);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
  }

  renderBodies(bodies, common) {
    this.use("mesh", { ...common, flatColor: 0, outline: [0, 0] });
    for (const body of bodies) this.drawBody(body);
  }

  /** The back of the picked body, slightly enlarged, in the colour of the accent. */
  renderOutline(body, common, theme) {
    if (!body) return;
    const gl = this.gl;
    const pixels = 5 * (window.devicePixelRatio || 1);
    const outline = [pixels / this.canvas.width, pixels / this.canvas.height];
    this.use("mesh", { ...common, flatColor: 1, outline });
    gl.enable(gl.CULL_FACE);
    gl.cullFace(gl.FRONT);
    this.drawBody({ ...body, color: theme.accent, opacity: 1 });
    gl.disable(gl.CULL_FACE);
  }

  renderTraces(state, common) {
    const gl = this.gl;
    const { start, stop } = this.scene;
    this.use("trace", {
      camera: common.camera, viewport: [this.canvas.width, this.canvas.height],
      width: 2.4 * (window.devicePixelRatio || 1), now: state.time - start, memory: Math.max(stop - start, 1e-9),
    });
    for (const trace of this.traces) {
      if (trace.count < 1) continue;
      this.set({ color: trace.color });
      gl.bindVertexArray(trace.array);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, trace.count);
    }
  }

  renderGround(state, camera, common, theme) {
    const { scene, gl } = this;
    if (scene.ground === null) return;
    const first = unit(cross(this.up, perpendicularAxis(this.up)));
    const second = cross(this.up, first);
    const center = camera.target;
    const origin = add(center, scaled(this.up, scene.ground - dot(center, this.up)));
    const reach = 3 * Math.max(scene.size, camera.distance);
    this.use("ground", {
      ...common, origin, first, second, reach, spacing: scene.spacing,
      shift: [dot(origin, first), dot(origin, second)], lineColor: theme.line,
      showGrid: state.grid ? 1 : 0, shadowStrength: theme.shadow,
    });
    gl.depthMask(false);
    gl.bindVertexArray(this.empty);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthMask(true);
  }
}

/** A mesh with its pose, as drawBody takes it. */
function body(part, position, rotation, scale) {
  return { opacity: 1, ...part, scale, position, model: poseMatrix(position, rotation, scale) };
}
