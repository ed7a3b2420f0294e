"""Which code belongs to which class of errors; docs/errors.md says what each means.

The constructor of TellegenError checks this table, tests/test_error_codes.py compares it with the sources and the docs.
"""

from __future__ import annotations

_TABLE = {
    "LanguageError": """
        E100 E101 E102 E103 E104 E105 E106 E107 E108 E109
        E110 E111 E112 E113 E114 E115 E116 E117 E118 E119
        E120 E121 E122 E123 E124 E125 E126 E127 E128 E129
        E130 E131 E132 E133 E134 E135 E136 E137 E138 E139
        E140 E141 E142 E143 E144 E145 E146 E147 E148 E149
        E150 E151 E152 E153 E154 E155 E156 E157 E158 E159
        E160 E161 E162 E163 E164 E165 E166 E167 E168 E169
        E170 E171 E172 E173 E174 E175 E176 E177 E178 E179
        E180 E181 E182 E183 E184 E185 E186 E187 E188 E189
        E190 E191 E192 E193 E194 E195 E196 E197 E198 E199
    """,
    "StructureError": """
        E201 E202 E203 E204 E205 E206 E207 E208 E209
        E210 E211 E212 E213 E214 E215 E216 E217 E218 E219
        E230 E231 E232 E233 E234 E235 E236 E237 E238 E239
        E291 E293 E294 E295 E296 E297
    """,
    "NumericError": """
        E301 E302 E303 E304 E305 E306 E307 E308 E309
        E310 E311
        E320 E321 E322
        E390
    """,
    "ExportError": """
        E401 E402 E403 E404 E405 E406
        E410 E412
        E420 E421
        E430 E431
        E440 E441 E442 E443 E445 E446 E447 E448 E449 E450 E456 E457
    """,
    "NetlistError": """
        E501 E502 E503 E504 E505 E506 E507 E508
        E510 E511 E512 E513 E515 E516 E517 E518 E519
    """,
    "FmuError": """
        E520 E521 E522 E523 E524 E525 E526 E527
    """,
    "ModelicaError": """
        E540 E541 E542
        E545 E546 E547 E548 E549
        E555 E556 E557 E558 E559 E560 E561 E562 E563 E564
        E550 E551 E552 E553
        E565 E566 E567 E568 E569
        E570 E571 E572 E573 E574 E575 E576 E577 E579
        E580 E581 E582 E583 E584
        E585 E586 E587 E588
        E590 E591 E592
        E594 E595 E596 E597
    """,
    "DesignError": """
        E601 E602 E603 E604 E605 E606 E607 E608
        E621 E622 E624 E625 E626 E627
        E640 E641 E643 E644 E645 E646
        E650 E651 E652 E653 E654 E655 E656 E657 E658
        E660 E661 E662 E663
    """,
    "DataError": """
        E701 E702 E703 E704 E705 E706 E707 E708
    """,
    "BindingError": """
        E800 E801 E802 E803 E804 E805 E806 E807 E808 E809
        E820 E821 E822 E823 E824 E825 E826 E827 E828 E829
        E830 E831 E832
    """,
    "DocumentError": """
        E840 E841 E842 E843 E844 E845 E846 E847 E848 E849
        E850 E851 E852
        E860 E861 E862 E863 E864 E865 E866 E867 E868 E869
        E870 E871 E872 E873 E874 E875 E876 E877
        E880 E881
        E890 E891
    """,
    "InternalError": """
        E900 E901 E902 E903 E904 E905 E906 E907
        E910 E911 E912 E913 E914 E915
    """,
}
FAMILIES: dict[str, tuple[str, ...]] = {family: tuple(codes.split()) for family, codes in _TABLE.items()}
