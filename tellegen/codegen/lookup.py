"""Native evaluation of tables (table.py): LLVM functions that go into every module which looks something up.

    lookup_1(data, x), lookup_2(data, x, y)     data: numbers of breaks, numbers of powers, breaks, coefficients

A search by bisection in each direction, then the polynomial of the segment; the text is the same for all tables.
"""

LOOKUPS = """
define private i64 @table_segment(ptr %breaks, i64 %count, double %x) nounwind {
entry:
  br label %search
search:
  %low = phi i64 [ 0, %entry ], [ %new_low, %halve ]
  %high = phi i64 [ %count, %entry ], [ %new_high, %halve ]
  %open = icmp ult i64 %low, %high
  br i1 %open, label %halve, label %found
halve:
  %sum = add i64 %low, %high
  %middle = lshr i64 %sum, 1
  %where = getelementptr double, ptr %breaks, i64 %middle
  %break = load double, ptr %where
  %right = fcmp ole double %break, %x
  %next = add i64 %middle, 1
  %new_low = select i1 %right, i64 %next, i64 %low
  %new_high = select i1 %right, i64 %high, i64 %middle
  br label %search
found:
  ret i64 %low
}

define private double @table_offset(ptr %breaks, i64 %segment, double %x) nounwind {
  %first = icmp eq i64 %segment, 0
  %before = sub i64 %segment, 1
  %left = select i1 %first, i64 0, i64 %before
  %where = getelementptr double, ptr %breaks, i64 %left
  %break = load double, ptr %where
  %offset = fsub double %x, %break
  ret double %offset
}

define private double @table_polynomial(ptr %coefficients, i64 %powers, double %x) nounwind {
entry:
  br label %term
term:
  %k = phi i64 [ %powers, %entry ], [ %lower, %term ]
  %value = phi double [ 0.0, %entry ], [ %new, %term ]
  %lower = sub i64 %k, 1
  %where = getelementptr double, ptr %coefficients, i64 %lower
  %coefficient = load double, ptr %where
  %scaled = fmul double %value, %x
  %new = fadd double %scaled, %coefficient
  %more = icmp ugt i64 %lower, 0
  br i1 %more, label %term, label %done
done:
  ret double %new
}

define private i64 @table_size(ptr %data, i64 %k) nounwind {
  %where = getelementptr double, ptr %data, i64 %k
  %number = load double, ptr %where
  %size = fptosi double %number to i64
  ret i64 %size
}

define private double @lookup_1(ptr %data, double %x) nounwind {
  %count = call i64 @table_size(ptr %data, i64 0)
  %powers = call i64 @table_size(ptr %data, i64 1)
  %breaks = getelementptr double, ptr %data, i64 2
  %all = getelementptr double, ptr %breaks, i64 %count
  %segment = call i64 @table_segment(ptr %breaks, i64 %count, double %x)
  %offset = call double @table_offset(ptr %breaks, i64 %segment, double %x)
  %begin = mul i64 %segment, %powers
  %mine = getelementptr double, ptr %all, i64 %begin
  %value = call double @table_polynomial(ptr %mine, i64 %powers, double %offset)
  ret double %value
}

define private double @lookup_2(ptr %data, double %x, double %y) nounwind {
entry:
  %count_x = call i64 @table_size(ptr %data, i64 0)
  %count_y = call i64 @table_size(ptr %data, i64 1)
  %powers_x = call i64 @table_size(ptr %data, i64 2)
  %powers_y = call i64 @table_size(ptr %data, i64 3)
  %breaks_x = getelementptr double, ptr %data, i64 4
  %breaks_y = getelementptr double, ptr %breaks_x, i64 %count_x
  %all = getelementptr double, ptr %breaks_y, i64 %count_y
  %i = call i64 @table_segment(ptr %breaks_x, i64 %count_x, double %x)
  %j = call i64 @table_segment(ptr %breaks_y, i64 %count_y, double %y)
  %dx = call double @table_offset(ptr %breaks_x, i64 %i, double %x)
  %dy = call double @table_offset(ptr %breaks_y, i64 %j, double %y)
  %across = add i64 %count_y, 1
  %row = mul i64 %i, %across
  %cell = add i64 %row, %j
  %size = mul i64 %powers_x, %powers_y
  %begin = mul i64 %cell, %size
  %mine = getelementptr double, ptr %all, i64 %begin
  br label %term
term:
  %k = phi i64 [ %powers_x, %entry ], [ %lower, %term ]
  %value = phi double [ 0.0, %entry ], [ %new, %term ]
  %lower = sub i64 %k, 1
  %place = mul i64 %lower, %powers_y
  %part = getelementptr double, ptr %mine, i64 %place
  %inner = call double @table_polynomial(ptr %part, i64 %powers_y, double %dy)
  %scaled = fmul double %value, %dx
  %new = fadd double %scaled, %inner
  %more = icmp ugt i64 %lower, 0
  br i1 %more, label %term, label %done
done:
  ret double %new
}
"""
