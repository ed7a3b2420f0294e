// Which body a ray hits first.

/** The distance along a ray to a triangle; Infinity if it misses (Moeller and Trumbore, 1997). */
function hitTriangle(origin, direction, a, b, c) {
  const first = subtract(b, a);
  const second = subtract(c, a);
  const p = cross(direction, second);
  const determinant = dot(first, p);
  if (Math.abs(determinant) < 1e-30) return Infinity;
  const s = subtract(origin, a);
  const u = dot(s, p) / determinant;
  const q = cross(s, first);
  const v = dot(direction, q) / determinant;
  const distance = dot(second, q) / determinant;
  return u >= 0 && v >= 0 && u + v <= 1 && distance > 0 ? distance : Infinity;
}

function hitMesh(mesh, origin, direction) {
  const corner = (k) => {
    const at = 3 * mesh.faces[k];
    return [mesh.vertices[at], mesh.vertices[at + 1], mesh.vertices[at + 2]];
  };
  let nearest = Infinity;
  for (let k = 0; k < mesh.faces.length; k += 3) {
    nearest = Math.min(nearest, hitTriangle(origin, direction, corner(k), corner(k + 1), corner(k + 2)));
  }
  return nearest;
}

/** The nearest item along a ray, or null. The ray is taken into the coordinates of each item. */
function pickedItem(scene, time, ray) {
  let found = null;
  let nearest = Infinity;
  for (const item of scene.items) {
    const { position, rotation, scale } = poseOf(item, time);
    const back = [-rotation[0], -rotation[1], -rotation[2], rotation[3]];
    const local = (v) => rotated(v, back).map((x, k) => x / (scale[k] || 1e-12));
    const distance = hitMesh(scene.meshes[item.mesh], local(subtract(ray.origin, position)), local(ray.direction));
    if (distance < nearest) {
      nearest = distance;
      found = item;
    }
  }
  return found;
}
