"""The loops over triangles and pixels, as procedures (docs/inside/procedures.md).

Pixels are at half-integer coordinates. The shading is that of the viewer (viewer/shaders.js), so that pictures and
pages look alike.
"""

from __future__ import annotations

from tellegen.animation.raster.buffers import Ground, Light, Look, Target, Triangles
from tellegen.procedures.language import Array, ceil, f64, floor, i64, local_array, procedure, sqrt

_SHADOW_STEP = 1.3


@procedure
def rasterize(triangles: Triangles, target: Target) -> None:
    """Which triangle is nearest at each pixel of the band."""
    width = target.width
    height = target.height
    top = target.top
    screen = triangles.screen
    nearness = target.nearness
    owner = target.owner
    for k in range(triangles.count):
        a = screen[3 * triangles.corners[3 * k] :]
        b = screen[3 * triangles.corners[3 * k + 1] :]
        c = screen[3 * triangles.corners[3 * k + 2] :]
        area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        if area == 0.0:
            continue
        left = max(int(ceil(max(min(a[0], min(b[0], c[0])), -1.0) - 0.5)), 0)
        right = min(int(floor(min(max(a[0], max(b[0], c[0])), float(width) + 1.0) - 0.5)), width - 1)
        upper = max(int(ceil(max(min(a[1], min(b[1], c[1])), float(top) - 1.0) - 0.5)), top)
        low = min(max(a[1], max(b[1], c[1])), float(top + height) + 1.0)
        lower = min(int(floor(low - 0.5)), top + height - 1)
        for row in range(upper, lower + 1):
            y = float(row) + 0.5
            for column in range(left, right + 1):
                x = float(column) + 0.5
                of_b = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area
                of_c = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area
                of_a = 1.0 - of_b - of_c
                if of_a >= 0.0 and of_b >= 0.0 and of_c >= 0.0:
                    near = of_a * a[2] + of_b * b[2] + of_c * c[2]
                    pixel = (row - top) * width + column
                    if near > nearness[pixel]:
                        nearness[pixel] = near
                        owner[pixel] = k


@procedure
def lit(light: Light, x: f64, y: f64, z: f64) -> f64:
    """How much of the light arrives at a point: the mean of 25 comparisons, so that edges of shadows are soft."""
    m = light.matrix
    u = m[0] * x + m[1] * y + m[2] * z + m[3]
    v = m[4] * x + m[5] * y + m[6] * z + m[7]
    near = m[8] * x + m[9] * y + m[10] * z + m[11] + light.tolerance
    pixels = light.pixels
    if not (light.left < u < light.right and light.low < v < light.high):
        return 1.0
    total = 0.0
    for i in range(-2, 3):
        row = int(v + _SHADOW_STEP * float(i))
        for j in range(-2, 3):
            column = int(u + _SHADOW_STEP * float(j))
            if near >= light.nearness[row * pixels + column]:
                total += 1.0
    return total / 25.0


@procedure(inline=True)
def dot(a: Array[f64], b: Array[f64]) -> f64:
    """The product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@procedure
def normalize(a: Array[f64]) -> None:
    """Make a vector a direction."""
    size = sqrt(dot(a, a))
    inverse = 1.0 / size if size > 0.0 else 0.0
    for k in range(3):
        a[k] *= inverse


@procedure(inline=True)
def smoothstep(begin: f64, end: f64, x: f64) -> f64:
    """From 0 to 1 between two places."""
    t = min(max((x - begin) / (end - begin), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@procedure
def weights_at(triangles: Triangles, k: i64, x: f64, y: f64, weights: Array[f64]) -> None:
    """What each corner of a triangle contributes at a pixel, with perspective."""
    screen = triangles.screen
    a = screen[3 * triangles.corners[3 * k] :]
    b = screen[3 * triangles.corners[3 * k + 1] :]
    c = screen[3 * triangles.corners[3 * k + 2] :]
    area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
    of_b = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area
    of_c = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area
    weights[0] = (1.0 - of_b - of_c) * a[2]
    weights[1] = of_b * b[2]
    weights[2] = of_c * c[2]
    total = weights[0] + weights[1] + weights[2]
    for i in range(3):
        weights[i] /= total


@procedure
def interpolate(triangles: Triangles, k: i64, values: Array[f64], weights: Array[f64], out: Array[f64]) -> None:
    """A vector that is given at the vertices, inside a triangle."""
    a = values[3 * triangles.corners[3 * k] :]
    b = values[3 * triangles.corners[3 * k + 1] :]
    c = values[3 * triangles.corners[3 * k + 2] :]
    for i in range(3):
        out[i] = weights[0] * a[i] + weights[1] * b[i] + weights[2] * c[i]


@procedure
def shade(triangles: Triangles, target: Target, light: Light, look: Look, opacity: f64) -> None:
    """Light on every pixel that belongs to a triangle, over what is there already."""
    weights = local_array(f64, 3)
    place = local_array(f64, 3)
    normal = local_array(f64, 3)
    color = local_array(f64, 3)
    for pixel in range(target.width * target.height):
        k = target.owner[pixel]
        if k < 0:
            continue
        x = float(pixel % target.width) + 0.5
        y = float(pixel // target.width + target.top) + 0.5
        weights_at(triangles, k, x, y, weights)
        interpolate(triangles, k, triangles.world, weights, place)
        interpolate(triangles, k, triangles.normals, weights, normal)
        interpolate(triangles, k, triangles.colors, weights, color)
        normalize(normal)
        shade_point(place, normal, color, light, look)
        out = target.color[3 * pixel :]
        for i in range(3):
            out[i] += opacity * (color[i] - out[i])


@procedure
def shade_point(place: Array[f64], normal: Array[f64], color: Array[f64], light: Light, look: Look) -> None:
    """The colour of a surface becomes the colour that is seen of it, both sRGB."""
    to_eye = local_array(f64, 3)
    halfway = local_array(f64, 3)
    for i in range(3):
        to_eye[i] = look.eye[i] - place[i]
    normalize(to_eye)
    if dot(normal, to_eye) < 0.0:
        for i in range(3):
            normal[i] = -normal[i]
    for i in range(3):
        halfway[i] = light.direction[i] + to_eye[i]
    normalize(halfway)
    facing = max(dot(normal, light.direction), 0.0)
    direct = 0.0
    if facing > 0.0:
        off = light.offset
        arrives = lit(light, place[0] + off * normal[0], place[1] + off * normal[1], place[2] + off * normal[2])
        direct = facing * arrives
    height = (dot(place, look.up) - look.ground) / look.size
    above = 0.5 + 0.5 * dot(normal, look.up)
    toward = max(dot(normal, to_eye), 0.0)
    shine = 0.35 * direct * max(dot(normal, halfway), 0.0) ** 48
    rim = 0.16 * (1.0 - toward) ** 4
    nearby = 0.7 + 0.3 * smoothstep(0.0, 0.3, height)
    for i in range(3):
        ambient = nearby * (look.bounce[i] + (look.sky[i] - look.bounce[i]) * above)
        base = color[i] ** 2.2
        shaded = base * (ambient + 1.5 * direct + 0.18 * toward) + shine + rim * look.sky[i]
        color[i] = min((shaded / (1.0 + 0.18 * shaded)) ** (1.0 / 2.2), 1.0)


@procedure
def paint(triangles: Triangles, target: Target, opacity: f64) -> None:
    """Every pixel that belongs to a triangle in the colour of its first vertex, without light."""
    for pixel in range(target.width * target.height):
        k = target.owner[pixel]
        if k < 0:
            continue
        color = triangles.colors[3 * triangles.corners[3 * k] :]
        out = target.color[3 * pixel :]
        for i in range(3):
            out[i] += opacity * (color[i] - out[i])


@procedure(inline=True)
def line_strength(cell: f64, change: f64, width: f64) -> f64:
    """How much of a line at an integer is seen; fainter where lines would be closer than pixels."""
    away = abs(cell - floor(cell + 0.5)) / change
    return (1.0 - smoothstep(width - 0.5, width + 0.5, away)) * (1.0 - smoothstep(0.15, 0.5, change))


@procedure
def draw_ground(target: Target, ground: Ground, light: Light, look: Look) -> None:
    """The grid and the shadows, where nothing nearer is seen."""
    ray = local_array(f64, 3)
    eye_height = dot(look.eye, look.up)
    for pixel in range(target.width * target.height):
        x = float(pixel % target.width) + 0.5
        y = float(pixel // target.width + target.top) + 0.5
        for i in range(3):
            ray[i] = ground.corner[i] + x * ground.right[i] + y * ground.down[i]
        rise = dot(ray, look.up)
        distance = (look.ground - eye_height) / rise if rise != 0.0 else -1.0
        if distance <= 0.0 or 1.0 / distance <= target.nearness[pixel]:
            continue
        along = dot(look.eye, ground.first) + distance * dot(ray, ground.first)
        across = dot(look.eye, ground.second) + distance * dot(ray, ground.second)
        away = sqrt((along - ground.center_first) ** 2 + (across - ground.center_second) ** 2) / ground.reach
        fade = 1.0 - smoothstep(0.1, 0.9, away)
        if fade <= 0.0:
            continue
        by_right = dot(ground.right, look.up) / rise
        by_down = dot(ground.down, look.up) / rise
        change_first = distance * (
            abs(dot(ground.right, ground.first) - by_right * dot(ray, ground.first))
            + abs(dot(ground.down, ground.first) - by_down * dot(ray, ground.first))
        )
        change_second = distance * (
            abs(dot(ground.right, ground.second) - by_right * dot(ray, ground.second))
            + abs(dot(ground.down, ground.second) - by_down * dot(ray, ground.second))
        )
        near_lines = grid_strength(along, across, change_first, change_second, ground.spacing)
        alpha = near_lines * fade
        px = look.eye[0] + distance * ray[0]
        py = look.eye[1] + distance * ray[1]
        pz = look.eye[2] + distance * ray[2]
        dark = ground.shadow * (1.0 - lit(light, px, py, pz)) * fade * (1.0 - alpha)
        out = target.color[3 * pixel :]
        for i in range(3):
            out[i] = ground.line[i] * alpha + out[i] * (1.0 - alpha - dark)


@procedure
def grid_strength(along: f64, across: f64, change_first: f64, change_second: f64, spacing: f64) -> f64:
    """Thin lines at every multiple of the spacing, stronger ones at every fifth."""
    thin = max(
        line_strength(along / spacing, change_first / spacing, 0.5),
        line_strength(across / spacing, change_second / spacing, 0.5),
    )
    wide = 5.0 * spacing
    strong = max(
        line_strength(along / wide, change_first / wide, 0.7), line_strength(across / wide, change_second / wide, 0.7)
    )
    return max(0.16 * thin, 0.34 * strong)
