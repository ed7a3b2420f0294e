package Servo "A speed-controlled drive"
  connector Flange
    Real phi(unit = "rad");
    flow Real tau(unit = "N.m");
  end Flange;

  model Inertia
    parameter Real J(unit = "kg.m2", min = 0);
    Flange a;
    Flange b;
    Real w(unit = "rad/s", start = 0, fixed = true);
  equation
    a.phi = b.phi;
    w = der(a.phi);
    J*der(w) = a.tau + b.tau;
  end Inertia;

  model Shaft "Spring and damper"
    parameter Real c(unit = "N.m/rad");
    parameter Real d(unit = "N.m.s/rad");
    Flange a;
    Flange b;
    Real twist(unit = "rad", start = 0, fixed = true);
  equation
    twist = b.phi - a.phi;
    b.tau = c*twist + d*der(twist);
    a.tau + b.tau = 0;
  end Shaft;

  block Limiter
    parameter Real limit;
    input Real u;
    output Real y;
  equation
    y = smooth(0, if u > limit then limit elseif u < -limit then -limit else u);
  end Limiter;

  model Motor "Armature with limited voltage"
    parameter Real k(unit = "N.m/A") = 0.5;
    parameter Real R(unit = "Ohm") = 1.2;
    parameter Real L(unit = "H") = 4e-3;
    input Real u(unit = "V");
    Limiter amplifier(limit = 48, u = u);
    Flange flange;
    Real i(unit = "A", start = 0, fixed = true);
  equation
    L*der(i) = amplifier.y - R*i - k*der(flange.phi);
    flange.tau = -k*i;
  end Motor;

  model TorqueStep
    parameter Real height(unit = "N.m");
    parameter Real begin(unit = "s");
    Flange flange;
  equation
    flange.tau = if time >= begin then height else 0;
  end TorqueStep;

  model Drive "Motor, shaft and load under a PI controller"
    parameter Real kp(unit = "V.s/rad") = 0.5 "proportional gain";
    parameter Real Ti(unit = "s") = 0.2 "integral time";
    parameter Real w_ref(unit = "rad/s") = 40;
    parameter Real load_torque(unit = "N.m") = 4;
    Motor motor(u = kp*(error + integral/Ti));
    Inertia rotor(J = 0.01, a(phi(start = 0, fixed = true)));
    Shaft shaft(c = 400, d = 0.2);
    Inertia load(J = 0.05);
    TorqueStep brake(height = load_torque, begin = 0.5);
    Real error(unit = "rad/s");
    Real integral(unit = "rad", start = 0, fixed = true);
    Real cost "integral of the squared error";
  initial equation
    cost = 0;
  equation
    error = w_ref - rotor.w;
    der(integral) = error;
    der(cost) = (w_ref - load.w)^2;
    connect(motor.flange, rotor.a);
    connect(rotor.b, shaft.a);
    connect(shaft.b, load.a);
    connect(load.b, brake.flange);
    annotation (experiment(StopTime = 1));
  end Drive;
end Servo;
