within;
encapsulated package Grammar "Every construct of the grammar once"
  import SI = Modelica.Units.SI;
  import Modelica.Math.*;
  import Modelica.Constants.{pi, eps};
  constant Real big = 1.5e10, small = .5, round = 5. "a list" + " of components";
  type Voltage = Real(final unit = "V", min = 0);
  type Choice = enumeration(first "one", second, third);
  type Open = enumeration(:);
  type Vector = Voltage[3];
  connector Pin "electrical"
    Voltage v;
    flow Real i;
    stream Real h;
  end Pin;
  connector Input = input Real;
  expandable connector Bus
  end Bus;
  operator record Pair
    Real a;
    Real b;
    encapsulated operator 'constructor'
      function fromReal
        input Real a;
        output Pair result = Pair(a, 0);
      algorithm
      end fromReal;
    end 'constructor';
    encapsulated operator function '*'
      input Pair x;
      input Pair y;
      output Pair z;
    algorithm
      z := Pair(x.a*y.a, x.b*y.b);
    end '*';
  end Pair;
  pure function f "with everything"
    input Real x[:];
    input Integer n = size(x, 1) annotation(Evaluate = true);
    output Real y;
    output Real z[n, 2];
  protected
    Real w;
  algorithm
    y := sum(x[i]^2 for i in 1:n) - sum({x[i] for i in 1:2:n});
    (w, , z[1, :]) := g(x[end], b = function h(c = 3));
    for i in 1:n, j loop
      if x[i] > 0 and not x[i] >= 1 or n == 2 then
        break;
      elseif x[i] <> 3 then
        return;
      else
        while y < 10 loop
          y := 2*y;
        end while;
      end if;
    end for;
    print("done\n\t\"quoted\"");
    annotation(derivative(noDerivative = n) = f_der, smoothOrder = 2, Inline = true);
  end f;
  function f_der = der(f, x, n);
  impure function ext
    input Real x;
    output Real y;
    external "C" y = ext_c(x, 2) annotation(Include = "#include <e.h>", Library = {"e", "m"});
  end ext;
  partial model Base
    parameter Integer n(min = 1) = 2 annotation(Dialog(group = "sizes"));
    replaceable package Medium = Grammar.Media constrainedby Partial(x = 1) "medium"
      annotation(choicesAllMatching = true);
    inner outer World world;
    Pin p[n], q[n, n](each v(start = 1, fixed = true), i = zeros(n, n)) if use annotation(Placement(transformation));
  end Base;
  model M
    extends Base(redeclare replaceable package Medium = Other(y = 2) constrainedby Third, final n = 3, break p,
      break connect(a, b), x(each final start = {1, 2, 3}) "changed", z = break);
    redeclare model extends Inner(a = 1) "class extends"
      Real x;
    end Inner;
    discrete Real x(start = 0);
    Real m[2, 3] = [1, 2, 3; 4, 5, 6];
    Integer k = if x > 0 then 1 elseif x < -1 then 2 else 3;
    Real 'quoted name' = .Grammar.big - (-small)^2 "power of a negative";
  initial equation
    x = 0;
    pre(k) = 1;
  initial algorithm
    x := 1;
  equation
    -m[1, 1] + x*(2 - k)/3 = der(x) "balance" annotation(Line());
    (x, y) = f({1, 2}, n = 2);
    connect(p[1], world.q[1, 2]) annotation(Line(points = {{0, 0}, {10, 10}}));
    m[:, 1] .* m[:, 2] = f(m[1, :]).a + (m*m)[2, 1:end];
    if n > 2 then
      x = 1;
    elseif use then
    else
      for i in {1, 3}, j loop
        m[i, j] = smooth(0, noEvent(if time > 1 then x else -x));
      end for;
    end if;
    when {initial(), sample(0, 1)} then
      reinit(x, 0);
    elsewhen x > 1 then
      k = pre(k) + 1;
      terminate("end");
    end when;
    assert(x < 3, "x = " + String(x));
    Connections.root(p[1].frame);
    annotation(experiment(StopTime = 1.5, Tolerance = 1e-6), Documentation(info = "<html>&lt;\"x\"</html>"));
  end M;
  annotation(version = "1.0.0", uses(Modelica(version = "4.1.0")));
end Grammar;
