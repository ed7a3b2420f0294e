package Drives "Small drives for tests"
  type Angle = Real(unit = "rad");
  type Torque = Real(unit = "N.m");
  type Voltage = Real(unit = "V");
  type Current = Real(unit = "A");

  connector Pin
    Voltage v;
    flow Current i;
  end Pin;

  connector Flange
    Angle phi;
    flow Torque tau;
  end Flange;

  partial model OnePort
    Pin p;
    Pin n;
    Voltage v;
    Current i;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end OnePort;

  model Resistor
    extends OnePort;
    parameter Real R(unit = "Ohm") = 1 "resistance";
  equation
    v = R*i;
  end Resistor;

  model Inductor
    extends OnePort;
    parameter Real L(unit = "H") = 1 "inductance";
  equation
    L*der(i) = v;
  end Inductor;

  model Source
    extends OnePort;
    parameter Voltage V = 10;
  equation
    v = V;
  end Source;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model EMF
    parameter Real k(unit = "N.m/A") = 0.1;
    Pin p;
    Pin n;
    Flange flange;
    Real w(unit = "rad/s");
  equation
    w = der(flange.phi);
    p.v - n.v = k*w;
    flange.tau = -k*p.i;
    p.i + n.i = 0;
  end EMF;

  model Inertia "Rotating mass"
    parameter Real J(unit = "kg.m2") = 0.01;
    Flange a;
    Flange b;
    Real w(unit = "rad/s", start = 0, fixed = true);
  equation
    a.phi = b.phi;
    w = der(a.phi);
    J*der(w) = a.tau + b.tau;
  end Inertia;

  partial model Armature
    parameter Real R = 2;
    Pin p;
    Pin n;
  end Armature;

  model Resistive
    extends Armature;
    Resistor resistor(R = R);
  equation
    connect(p, resistor.p);
    connect(resistor.n, n);
  end Resistive;

  model Inductive
    extends Armature;
    Resistor resistor(R = R);
    Inductor inductor(L = 0.1, i(start = 0, fixed = true));
  equation
    connect(p, resistor.p);
    connect(resistor.n, inductor.p);
    connect(inductor.n, n);
  end Inductive;

  model Motor "DC motor"
    replaceable model Winding = Resistive constrainedby Armature;
    parameter Real R = 2 "resistance";
    parameter Integer gears(min = 1) = 1;
    parameter String name = "motor";
    Pin p;
    Pin n;
    Flange flange;
    Winding winding(R = R);
    EMF emf;
    Inertia rotor;
  equation
    connect(p, winding.p);
    connect(winding.n, emf.p);
    connect(emf.n, n);
    connect(emf.flange, rotor.a);
    connect(rotor.b, flange);
  end Motor;

  model Drive "Motor at a source"
    parameter Real J = 0.02;
    Source source(V = 12);
    Ground ground;
    Motor motor;
    Inertia load(J = J, a(phi(start = 0, fixed = true)), w(fixed = false));
  equation
    connect(source.p, motor.p);
    connect(source.n, motor.n);
    connect(source.n, ground.p);
    connect(motor.flange, load.a);
    annotation (experiment(StopTime = 2, Tolerance = 1e-8));
  end Drive;
end Drives;
