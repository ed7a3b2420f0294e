"""Native functions of trees: positions, inverse dynamics, mass matrix and Jacobian, over rows of samples.

The formulas of network/mechanics (tree_motion.py, tree_dynamics.py), which serve symbols too, for numbers alone. Lump 0
is the ground, lump k + 1 is carried by link k; vectors are in the axes of the world. Forces of composite bodies are
taken about the reference point of the link at the root, so that they stay the same all the way to it.
"""

from __future__ import annotations

from tellegen.analyses.mechanisms.vector_kernels import (
    add_cross,
    add_times,
    back,
    cross,
    dot,
    multiply,
    times,
    turn_about,
    turn_by,
)
from tellegen.procedures.language import Array, Record, f64, i32, i64, local_array, procedure

REVOLUTE = 0
PRISMATIC = 1
BALL = 2
FREE = 3
POINT = 4
WELD = 5


class Tree(Record):
    """Links by number: kind of joint, parent lump, root link, first coordinate and speed, and what LinkNumbers has.

    `S` holds angular velocity and velocity of the reference point by each speed; from `A` on it is room.
    """

    links: i64
    coordinates: i64
    speeds: i64
    kind: Array[i32]
    parent: Array[i32]
    root: Array[i32]
    first_q: Array[i32]
    first_u: Array[i32]  # one more than there are links
    g: Array[f64]
    s: Array[f64]
    C: Array[f64]
    n: Array[f64]
    m: Array[f64]
    h: Array[f64]
    J: Array[f64]
    A: Array[f64]
    r: Array[f64]
    d: Array[f64]
    S: Array[f64]
    w: Array[f64]
    z: Array[f64]
    a: Array[f64]
    force: Array[f64]
    moment: Array[f64]
    mass: Array[f64]
    first_moment: Array[f64]
    inertia: Array[f64]


@procedure
def place(tree: Tree, q: Array[f64]) -> None:
    """The outward sweep over positions."""
    R = local_array(f64, 9)
    joint = local_array(f64, 9)
    slide = local_array(f64, 3)
    for k in range(tree.links):
        p = tree.parent[k]
        kind = tree.kind[k]
        A_p = tree.A[9 * p :]
        A = tree.A[9 * (k + 1) :]
        d = tree.d[3 * k :]
        own = q[tree.first_q[k] :]
        n = tree.n[3 * k :]
        multiply(A_p, tree.C[9 * k :], joint)
        times(A_p, tree.s[3 * k :], d)
        if kind == REVOLUTE:
            turn_about(n, own[0], R)
            multiply(joint, R, A)
        elif kind == BALL:
            turn_by(own, R)
            multiply(joint, R, A)
        elif kind == FREE:
            turn_by(own[3:], R)
            multiply(joint, R, A)
        else:
            for i in range(9):
                A[i] = joint[i]
        if kind == PRISMATIC:
            for i in range(3):
                slide[i] = n[i] * own[0]
            add_times(joint, slide, d)
        elif FREE <= kind <= POINT:
            add_times(joint, own, d)
        for i in range(3):
            tree.r[3 * (k + 1) + i] = tree.r[3 * p + i] + d[i]
        fill_columns(kind, joint, n, tree.S[6 * tree.first_u[k] :])


@procedure
def fill_columns(kind: i64, joint: Array[f64], n: Array[f64], S: Array[f64]) -> None:
    """Angular velocity and velocity by each speed of a joint."""
    if kind == REVOLUTE:
        times(joint, n, S)
        for i in range(3):
            S[3 + i] = 0.0
    elif kind == PRISMATIC:
        times(joint, n, S[3:])
        for i in range(3):
            S[i] = 0.0
    elif kind != WELD:
        translations = 3 if kind == FREE else 0
        for j in range(3):
            for i in range(3):
                along = joint[3 * i + j]
                if kind == POINT:
                    S[6 * j + i] = 0.0
                    S[6 * j + 3 + i] = along
                    continue
                if kind == FREE:
                    S[6 * j + i] = 0.0
                    S[6 * j + 3 + i] = along
                S[6 * (translations + j) + i] = along
                S[6 * (translations + j) + 3 + i] = 0.0


@procedure
def move(tree: Tree, u: Array[f64], acceleration: Array[f64]) -> None:
    """The outward sweep over velocities and accelerations; the ground accelerates by -g."""
    turning = local_array(f64, 3)
    sliding = local_array(f64, 3)
    along = local_array(f64, 3)
    for i in range(3):
        tree.a[i] = -tree.g[i]
    for k in range(tree.links):
        p = tree.parent[k]
        d = tree.d[3 * k :]
        w_p = tree.w[3 * p :]
        z_p = tree.z[3 * p :]
        w = tree.w[3 * (k + 1) :]
        z = tree.z[3 * (k + 1) :]
        a = tree.a[3 * (k + 1) :]
        for i in range(3):
            turning[i] = 0.0
            sliding[i] = 0.0
            z[i] = z_p[i]
            a[i] = tree.a[3 * p + i]
        for j in range(tree.first_u[k], tree.first_u[k + 1]):
            for i in range(3):
                turning[i] += tree.S[6 * j + i] * u[j]
                sliding[i] += tree.S[6 * j + 3 + i] * u[j]
                z[i] += tree.S[6 * j + i] * acceleration[j]
                a[i] += tree.S[6 * j + 3 + i] * acceleration[j]
        cross(w_p, d, along)
        for i in range(3):
            w[i] = w_p[i] + turning[i]
            along[i] += 2.0 * sliding[i]
        add_cross(w_p, turning, z)
        add_cross(z_p, d, a)
        add_cross(w_p, along, a)


@procedure
def press(tree: Tree, tau: Array[f64]) -> None:
    """The inward sweep over forces."""
    local = local_array(f64, 3)
    part = local_array(f64, 3)
    h = local_array(f64, 3)
    for k in range(tree.links):
        A = tree.A[9 * (k + 1) :]
        w = tree.w[3 * (k + 1) :]
        z = tree.z[3 * (k + 1) :]
        a = tree.a[3 * (k + 1) :]
        J = tree.J[9 * k :]
        f = tree.force[3 * k :]
        n = tree.moment[3 * k :]
        times(A, tree.h[3 * k :], h)
        cross(w, h, part)
        for i in range(3):
            f[i] = tree.m[k] * a[i]
        add_cross(z, h, f)
        add_cross(w, part, f)
        back(A, w, local)
        times(J, local, part)
        times(A, part, local)
        cross(w, local, n)
        add_cross(h, a, n)
        back(A, z, local)
        times(J, local, part)
        add_times(A, part, n)
    for down in range(tree.links):
        k = tree.links - 1 - down
        f = tree.force[3 * k :]
        n = tree.moment[3 * k :]
        for j in range(tree.first_u[k], tree.first_u[k + 1]):
            tau[j] = dot(tree.S[6 * j :], n) + dot(tree.S[6 * j + 3 :], f)
        p = tree.parent[k] - 1
        if p >= 0:
            for i in range(3):
                tree.force[3 * p + i] += f[i]
                tree.moment[3 * p + i] += n[i]
            add_cross(tree.d[3 * k :], f, tree.moment[3 * p :])


@procedure
def inverse_dynamics(
    tree: Tree, rows: i64, q: Array[f64], u: Array[f64], acceleration: Array[f64], tau: Array[f64]
) -> None:
    """Torques and forces of the joints for rows of motions."""
    for row in range(rows):
        place(tree, q[row * tree.coordinates :])
        move(tree, u[row * tree.speeds :], acceleration[row * tree.speeds :])
        press(tree, tau[row * tree.speeds :])


@procedure
def gather(tree: Tree) -> None:
    """Mass, first moment and inertia of each lump with all it carries, about the reference point of its root."""
    arm = local_array(f64, 3)
    half = local_array(f64, 9)
    turned = local_array(f64, 9)
    own = local_array(f64, 3)
    for k in range(tree.links):
        A = tree.A[9 * (k + 1) :]
        m = tree.m[k]
        h = tree.first_moment[3 * k :]
        inertia = tree.inertia[9 * k :]
        times(A, tree.h[3 * k :], own)
        for i in range(3):
            arm[i] = tree.r[3 * (k + 1) + i] - tree.r[3 * (tree.root[k] + 1) + i]
            h[i] = own[i] + m * arm[i]
        multiply(A, tree.J[9 * k :], half)
        for i in range(3):
            for j in range(3):
                turned[3 * i + j] = dot(half[3 * i :], A[3 * j :])
        along = m * dot(arm, arm) + 2.0 * dot(arm, own)
        for i in range(3):
            for j in range(3):
                shift = m * arm[i] * arm[j] + arm[i] * own[j] + own[i] * arm[j]
                inertia[3 * i + j] = turned[3 * i + j] - shift
            inertia[4 * i] += along
        tree.mass[k] = m
    for down in range(tree.links):
        k = tree.links - 1 - down
        p = tree.parent[k] - 1
        if p >= 0:
            tree.mass[p] += tree.mass[k]
            for i in range(3):
                tree.first_moment[3 * p + i] += tree.first_moment[3 * k + i]
            for i in range(9):
                tree.inertia[9 * p + i] += tree.inertia[9 * k + i]


@procedure
def shift_columns(tree: Tree) -> None:
    """Velocities by each speed not of the reference point, but of what is at that of the root."""
    arm = local_array(f64, 3)
    for k in range(tree.links):
        for i in range(3):
            arm[i] = tree.r[3 * (k + 1) + i] - tree.r[3 * (tree.root[k] + 1) + i]
        for j in range(tree.first_u[k], tree.first_u[k + 1]):
            add_cross(arm, tree.S[6 * j :], tree.S[6 * j + 3 :])


@procedure
def mass_matrix(tree: Tree, rows: i64, q: Array[f64], matrices: Array[f64]) -> None:
    """M(q) for rows of coordinates; elements between branches stay as they are, zero."""
    f = local_array(f64, 3)
    n = local_array(f64, 3)
    size = tree.speeds
    for row in range(rows):
        place(tree, q[row * tree.coordinates :])
        gather(tree)
        shift_columns(tree)
        M = matrices[row * size * size :]
        for k in range(tree.links):
            h = tree.first_moment[3 * k :]
            for j in range(tree.first_u[k], tree.first_u[k + 1]):
                turning = tree.S[6 * j :]
                sliding = tree.S[6 * j + 3 :]
                times(tree.inertia[9 * k :], turning, n)
                add_cross(h, sliding, n)
                cross(turning, h, f)
                for i in range(3):
                    f[i] += tree.mass[k] * sliding[i]
                fill_row(tree, M, k, j, f, n)


@procedure
def fill_row(tree: Tree, M: Array[f64], k: i64, j: i64, f: Array[f64], n: Array[f64]) -> None:
    """What the force of speed j of link k is worth by the speeds of all links on its way to the ground."""
    size = tree.speeds
    lump = k + 1
    while lump > 0:
        for c in range(tree.first_u[lump - 1], tree.first_u[lump]):
            value = dot(tree.S[6 * c :], n) + dot(tree.S[6 * c + 3 :], f)
            M[j * size + c] = value
            M[c * size + j] = value
        lump = tree.parent[lump - 1]


@procedure
def jacobian(tree: Tree, rows: i64, q: Array[f64], lump: i64, point: Array[f64], matrices: Array[f64]) -> None:
    """Velocity and angular velocity of a point of a lump by the speeds, for rows of coordinates."""
    at = local_array(f64, 3)
    arm = local_array(f64, 3)
    v = local_array(f64, 3)
    size = tree.speeds
    for row in range(rows):
        place(tree, q[row * tree.coordinates :])
        times(tree.A[9 * lump :], point, at)
        for i in range(3):
            at[i] += tree.r[3 * lump + i]
        J = matrices[row * 6 * size :]
        above = lump
        while above > 0:
            for i in range(3):
                arm[i] = at[i] - tree.r[3 * above + i]
            for j in range(tree.first_u[above - 1], tree.first_u[above]):
                cross(tree.S[6 * j :], arm, v)
                for i in range(3):
                    J[i * size + j] = v[i] + tree.S[6 * j + 3 + i]
                    J[(3 + i) * size + j] = tree.S[6 * j + i]
            above = tree.parent[above - 1]
