package OuterClasses "What outer classes and constants of classes around mean: see test_outer_classes.py"
  model TestTypeOfComponent "b.a.x = 2"
    inner model A
      parameter Real k = 2;
      Real x = k*time;
    end A;
    model B
      outer model A
        parameter Real k = 1;
        Real x = k*time;
      end A;
      A a;
    end B;
    B b;
  end TestTypeOfComponent;

  model TestPartialOuter "b.a.x = 5"
    model Full
      Real x = 5*time;
    end Full;
    inner model A = Full;
    model B
      outer partial model A
        Real x;
      end A;
      A a;
    end B;
    B b;
  end TestPartialOuter;

  model TestBaseClass "b.x = 3"
    inner model A
      Real x = 3*time;
    end A;
    model B
      outer model A
        Real x = 1*time;
      end A;
      extends A;
    end B;
    B b;
  end TestBaseClass;

  model TestReplaceableInner "b.a.x = 3"
    inner replaceable model A
      Real x = 3*time;
    end A;
    model B
      outer model A
        Real x = 1*time;
      end A;
      A a;
    end B;
    B b;
  end TestReplaceableInner;

  model TestRedeclaredInner "m.b.a.x = 7"
    TestReplaceableInner m(redeclare model A = A7);
    model A7
      Real x = 7*time;
    end A7;
  end TestRedeclaredInner;

  model TestPackageConstants "b.x = 3, b.y[3] = 3"
    inner package C
      constant Real c = 3;
    end C;
    model B
      outer package C
        constant Real c = 1;
      end C;
      Real x = C.c*time;
      parameter Integer n = integer(C.c);
      Real y[n] = {i*time for i in 1:n};
    end B;
    B b;
  end TestPackageConstants;

  model TestPredefinedType "b.x = 4"
    inner type T = Real(start = 4, min=-100);
    model B
      outer type T = Real(start = 1);
      T x(fixed=true);
    equation
      der(x) = 0;
    end B;
    B b;
  end TestPredefinedType;

  model TestEnclosingConstant "i.x = 2"
    constant Real c = 2;
    model In
      Real x = c*time;
    end In;
    In i;
  end TestEnclosingConstant;

  model TestModifiedConstant "o.i.x = 5"
    TestEnclosingConstant o(c = 5);
  end TestModifiedConstant;

  model TestEnclosingParameter "E576"
    parameter Real c = 2;
    model In
      Real x = c*time;
    end In;
    In i;
  end TestEnclosingParameter;

  model TestModifiedComponent "b.a.x = 11, b.aa[2].x = 4"
    inner model A
      parameter Real k = 2;
      Real x = k*time;
    end A;
    model B
      outer model A
        parameter Real k = 1;
        Real x = k*time;
      end A;
      A a(k = 11);
      A aa[2](k={3,4});
    end B;
    B b;
  end TestModifiedComponent;

  model Holder
    replaceable model M
      Real x = time;
    end M;
    inner model A = M;
    B b;
  end Holder;

  model B
    outer model A
      Real x;
    end A;
    A a;
  end B;

  model TestTwoInners "h2.b.a.x = 2, h3.b.a.x = 3"
    model M2
      Real x = 2*time;
    end M2;
    model M3
      Real x = 3*time;
    end M3;
    Holder h2(redeclare model M = M2);
    Holder h3(redeclare model M = M3);
  end TestTwoInners;

  model TestConstantByElement "E567"
    model N
      constant Real c = 1;
      model I
        Real x = c*time;
      end I;
      I i;
    end N;
    N n[2](c = {5, 6});
  end TestConstantByElement;

  model TestRecord "b.r.a = 4, b.y = 4"
    inner record R
      Real a = 4;
    end R;
    model B
      outer record R
        Real a = 1;
      end R;
      R r;
      Real y = r.a;
    end B;
    B b;
  end TestRecord;

  model TestFunction "b.x = 3, b.c.z = 3"
    inner function f
      input Real u; output Real y;
    algorithm
      y := 3*u;
    end f;
    model B
      outer function f
        input Real u; output Real y;
      end f;
      model C
         Real z = f(time);
      end C;
      Real x = f(time);
      C c;
    end B;
    B b;
  end TestFunction;

  model Base15
    outer model A
      Real x = time;
    end A;
    A a;
  end Base15;

  model TestInheritedOuter "b.a.x = 15"
    inner model A
      Real x = 15*time;
    end A;
    model B
      extends Base15;
    end B;
    B b;
  end TestInheritedOuter;

  model Alone
    Base15 b;
  end Alone;

  model TestClassInPackage "b.a.x = 17"
    inner package Pk
      model A
        Real x = 17*time;
      end A;
    end Pk;
    model B
      outer package Pk
        model A
          Real x = time;
        end A;
      end Pk;
      Pk.A a;
    end B;
    B b;
  end TestClassInPackage;

  model TestRedeclaredAsOuter "b.h.m.x = 18"
    inner model A
      Real x = 18*time;
    end A;
    model H
      replaceable model M
        Real x = 0.5*time;
      end M;
      M m;
    end H;
    model B
      outer model A
        Real x = 1*time;
      end A;
      H h(redeclare model M = A);
    end B;
    B b;
  end TestRedeclaredAsOuter;

  model TestConstantInPackage "b.a.T = 10"
    class A
      package P
        outer constant Integer T0;
      end P;
      Integer T = P.T0;
    end A;
    class B
      inner constant Integer T0 = 10;
      A a;
    end B;
    B b;
  end TestConstantInPackage;

  model TestFunctionWithConstant "a.x = 3, b.x = 1"
    model N
      constant Real c = 1;
      function f
        input Real u; output Real y;
      algorithm
        y := c*u;
        while y > 1e9 loop
          y := y/2;
        end while;
      end f;
      Real x = f(time);
    end N;
    N a(c = 3);
    N b;
  end TestFunctionWithConstant;

  model TestDeepConstants "h.n.i.x[2] = 2, h.m.i.x[4] = 4, g.n.i.x[3] = 3, g.m.i.x[5] = 5"
    model N
      constant Integer c = 1;
      model I
        Real x[c] = fill(c*time, c);
      end I;
      I i;
    end N;
    model H
      N n;
      N m(c = 4);
    end H;
    H h(n(c = 2));
    H g(n.c = 3, m(c = 5));
  end TestDeepConstants;

  model TestInheritedConstant "x.i.x = 6, y.i.x = 7"
    model N
      constant Real c = 1;
      model I
        Real x = c*time;
      end I;
    end N;
    model X
      constant Real d = 6;
      extends N(c = d);
      I i;
    end X;
    X x;
    X y(d = 7);
  end TestInheritedConstant;

  model TestArraysOfComponents "b[1].a[1].x = 0.1353353, b[4].a[3].x = 1.6240235"
    inner model A
      parameter Real k = 1;
      Real x(start = k, fixed = true);
    equation
      der(x) = -x*2;
    end A;
    model B
      outer model A = PA;
      parameter Real q = 1;
      A a[3](k = {q, 2*q, 3*q});
    end B;
    B b[4](q = {1, 2, 3, 4});
  end TestArraysOfComponents;

  model PA
    parameter Real k = 1;
    Real x;
  end PA;

  model TestOtherElements "E562"
    inner model A
      Real y = time;
    end A;
    model B
      outer model A = PA;
      A a;
    end B;
    B b;
  end TestOtherElements;

  model TestTwoAlone "E560"
    model B
      outer model A = PA;
    end B;
    model C
      outer model A
        Real x = time;
      end A;
      A a;
    end C;
    B b;
    C c;
  end TestTwoAlone;

  model TestRedeclaredFromOutside "E551"
    model C
      outer model A
        Real x = time;
      end A;
      A a;
    end C;
    model A2
      Real x = 2*time;
    end A2;
    C c(redeclare model A = A2);
  end TestRedeclaredFromOutside;

  model TestModifiedFromOutside "E556"
    inner model A
      parameter Real k = 1;
      Real x = k*time;
    end A;
    model C
      outer model A
        parameter Real k = 1;
        Real x;
      end A;
      A a;
    end C;
    C c(A(k = 5));
  end TestModifiedFromOutside;

  model TestInnerAndOuter "E565"
    inner model A
      Real x = 3*time;
    end A;
    model C
      inner outer model A
        Real x = 5*time;
      end A;
      A a;
    end C;
    C c;
  end TestInnerAndOuter;

  model TestConstantArray "n.i.x[3] = 6"
    model N
      constant Real c[:] = {1, 2};
      model I
        Real x[size(c, 1)] = c*time;
      end I;
      I i;
    end N;
    N n(c = {4, 5, 6});
  end TestConstantArray;

  model TestPartialAlone "E560"
    model C
      outer partial model A
        Real x;
      end A;
      A a;
    end C;
    C c;
  end TestPartialAlone;

  model TestInnerOfBaseClass "h.c.a.x = 13"
    partial model Base
      inner model A
        Real x = 13*time;
      end A;
    end Base;
    model C
      outer model A
        Real x;
      end A;
      A a;
    end C;
    model H
      extends Base;
      C c;
    end H;
    H h;
  end TestInnerOfBaseClass;

  model TestConstantOfRecord "r.x = 6"
    record R
      constant Real c = 1;
      Real x = c*2;
    end R;
    R r(c = 3);
  end TestConstantOfRecord;

  model TestPartialFunctionAlone "E560"
    partial function F
      input Real u;
      output Real y;
    end F;
    model U
      outer function f = F;
      Real y = f(1);
    end U;
    U u;
  end TestPartialFunctionAlone;

  model TestClassExtends "b.b.x = 1, b.b.y = 2"
    model A
      replaceable model B
        Real x = 0;
      end B;
    end A;
    model C
      extends A;
      model extends B(x = 1)
        Real y = 2;
      end B;
      B b;
    end C;
    C b;
  end TestClassExtends;
end OuterClasses;
