//! Source to tree, as tables.

use poolwright_diagnostics::{FileId, SourceMap, Span};
use poolwright_syntax::tree::{Expr, ExprKind, Item, Step};

use crate::show;

#[test]
fn expressions() {
    let table = [
        ("1", "#1"),
        ("0.250", "#0.250"),
        ("1e6", "#1e6"),
        ("1E+06", "#1E+06"),
        ("1e1000000000", "#1e1000000000"),
        ("1e400", "#1e400"),
        ("98765432109876543210.50", "#98765432109876543210.50"),
        ("-5", "(- #5)"),
        ("- 5.5e-10", "(- #5.5e-10)"),
        ("- /* c */ 5", "(- #5)"),
        ("-5.0[0]", "(- #5.0[#0])"),
        ("--a", "(- (- a))"),
        // Within brackets the ends of lines do not count, and no comment either.
        ("(-\n  5)", "((- #5))"),
        ("[! # not\n\n  a, 1 -\n 2]", "[(! a) (Subtract #1 #2)]"),
        ("!a.b", "(! a.b)"),
        ("-a[0]", "(- a[#0])"),
        ("\"\"", "\"\""),
        ("\"a\"", "\"a\""),
        ("\"a\\tb\\\\ \\u00e9 \\U0001F600 $${x} %%{y}\"", "\"a\\tb\\\\ é 😀 ${x} %{y}\""),
        ("\"${a}\"", "`$a`"),
        ("\"x${a.b}y\"", "`\"x\" $a.b \"y\"`"),
        ("\"${\"${a}\"}\"", "`$`$a``"),
        ("\"%{ if a }x%{ else }y%{ endif }\"", "`%if a {\"x\"} {\"y\"}`"),
        ("\"%{ for k, v in m }${k}%{ endfor }\"", "`%for k,v in m {$k}`"),
        ("[]", "[]"),
        ("[1, 2,]", "[#1 #2]"),
        ("[\n  1, # one\n  2\n]", "[#1 #2]"),
        ("{}", "{}"),
        ("{ a = 1, \"b\" : 2, (c) = 3, 4 = 5 }", "{a=#1 <\"b\">=#2 <(c)>=#3 <#4>=#5}"),
        ("{ true = 1, null = 2, for = 3 }", "{true=#1 null=#2 for=#3}"),
        ("{\n  a = 1\n  b = 2\n}", "{a=#1 b=#2}"),
        ("{ \"${a}\" = 1 }", "{<`$a`>=#1}"),
        ("pool.aws-a100-spot", "pool.aws-a100-spot"),
        ("a[\"b\"].c[0]", "a[\"b\"].c[#0]"),
        ("a.0.b", "a.0.b"),
        ("a.*.b", "a.*.b"),
        ("a[*].b[*]", "a[*].b[*]"),
        ("f()", "f()"),
        ("f(1, [2]...)", "f(#1 [#2]...)"),
        ("f(1,)", "f(#1)"),
        ("a::b::c(1)", "a::b::c(#1)"),
        ("f(\n  1,\n  2\n)", "f(#1 #2)"),
        ("f(x).y", "f(x).y"),
        ("1 + 2 * 3", "(Add #1 (Multiply #2 #3))"),
        ("a - b - c", "(Subtract (Subtract a b) c)"),
        ("a || b && c == d", "(Or a (And b (Equal c d)))"),
        ("a >= 1 && a <= 2 || a != 3", "(Or (And (GreaterOrEqual a #1) (LessOrEqual a #2)) (NotEqual a #3))"),
        ("a % 2 / 3 > 4 < 5", "(Less (Greater (Divide (Remainder a #2) #3) #4) #5)"),
        ("(a + b) * c", "(Multiply ((Add a b)) c)"),
        ("a ? b : c", "(? a b c)"),
        ("a ? b : c ? d : e", "(? a b (? c d e))"),
        ("a == b ? [1] : null", "(? (Equal a b) [#1] null)"),
        ("[for x in l : x]", "(for x in l : x)"),
        ("[for k, v in m : k if v]", "(for k,v in m : k if v)"),
        ("{for k, v in m : k => v}", "(for k,v in m : k => v)"),
        ("{for v in m : v.a => v... if v.b}", "(for v in m : v.a => v... if v.b)"),
        ("<<EOT\n  a\nEOT", "\"  a\\n\""),
        ("<<-EOT\n  a\n    b\n  EOT", "\"a\\n  b\\n\""),
        ("<<EOT\na${b}\nEOT", "`\"a\" $b \"\\n\"`"),
        ("<<EOT\n$${b} \\n\nEOT", "\"${b} \\\\n\\n\""),
    ];
    for (source, expected) in table {
        let text = format!("v = {source}\n");
        let (file, found) = crate::parse(&text);
        assert!(found.is_empty(), "{source}: {found:?}");
        let attribute = file.body.attributes().next().unwrap();
        assert_eq!(show::expr(&attribute.value), expected, "{source}");
        let span = attribute.value.span;
        assert_eq!(&text[span.start as usize..span.end as usize], source);
    }
}

#[test]
fn bodies() {
    let table = [
        ("", ""),
        ("\n\n# nothing\n", ""),
        ("a = 1", "a=#1"),
        ("\u{feff}a = 1\r\nb = 2\r\n", "a=#1; b=#2"),
        ("for = \"15m\"\nin = 1\nif = 2\ntrue = 3\n", "for=\"15m\"; in=#1; if=#2; true=#3"),
        ("a {}", "a {}"),
        ("a {\n}\n", "a {}"),
        ("a { b = 1 }", "a {b=#1}"),
        (
            "a \"x\" y \"z\\\"\" {\n  b = 1\n\n  c {\n    d = 2 // two\n  }\n}",
            "a \"x\" \"y\" \"z\\\"\" {b=#1; c {d=#2}}",
        ),
        ("a = 1 /* b = 2 */\n/* c\n */ d = 3 # e", "a=#1; d=#3"),
        ("a = <<X\nb = 1\nX\nc = 2", "a=\"b = 1\\n\"; c=#2"),
        // Blocks need no indentation as long as the braces balance.
        ("a {\nb {\nc = 1\n}\n}\nd {\n}\n", "a {b {c=#1}}; d {}"),
        ("a = [\n1,\n2\n]\nb = (\n1 +\n2\n)", "a=[#1 #2]; b=((Add #1 #2))"),
    ];
    for (source, expected) in table {
        let (file, found) = crate::parse(source);
        assert!(found.is_empty(), "{source:?}: {found:?}");
        assert_eq!(show::body(&file.body), expected, "{source:?}");
    }
}

/// What stands under the span of each part.
#[test]
fn spans() {
    let text = "\u{feff}# é\npool \"a\" b {\n  x = 1 + y.é[0].*.c\n  f = a::b(1)\n}\n";
    let mut map = SourceMap::default();
    map.add("a", text);
    let at = |span: Span| map.text(span).to_owned();
    let (file, found) = poolwright_syntax::parse(FileId(0), text);
    assert!(found.is_empty(), "{found:?}");
    let block = file.body.blocks().next().unwrap();
    assert_eq!(at(block.kind.span), "pool");
    assert_eq!(at(block.labels[0].span), "\"a\"");
    assert_eq!(at(block.labels[1].span), "b");
    assert_eq!(at(block.header), "pool \"a\" b");
    assert!(at(block.span).starts_with("pool") && at(block.span).ends_with('}'));
    assert_eq!(at(block.body.span), "\n  x = 1 + y.é[0].*.c\n  f = a::b(1)\n");
    let [Item::Attribute(x), Item::Attribute(f)] = block.body.items.as_slice() else { panic!() };
    assert_eq!(at(x.span), "x = 1 + y.é[0].*.c");
    let ExprKind::Binary(sum) = &x.value.kind else { panic!() };
    assert_eq!(
        (at(sum.left.span), at(sum.op_span), at(sum.right.span)),
        ("1".into(), "+".into(), "y.é[0].*.c".into())
    );
    let ExprKind::Traversal(base, steps) = &sum.right.kind else { panic!() };
    assert_eq!(at(base.span), "y");
    let steps: Vec<String> = steps.iter().map(|step| at(Step::span(step))).collect();
    assert_eq!(steps, ["é", "0", ".*", "c"]);
    let Expr { kind: ExprKind::Call(call), span } = &f.value else { panic!() };
    assert_eq!((at(call.name.span), at(*span)), ("a::b".into(), "a::b(1)".into()));
}

#[test]
fn a_heredoc_without_lines_ends_at_its_own_marker() {
    for text in [
        "x = [<<A\nA\n, <<A\nb\nA\n]\n",
        "x = [<<-A\n  A\n, <<-A\n  b\n  A\n]\n",
        "x = <<A\nA\ny = <<A\nb\nA\n",
    ] {
        let (file, found) = crate::parse(text);
        assert!(found.is_empty(), "{text:?}: {found:?}");
        let shown = format!("{:?}", file.body.items);
        assert!(shown.contains("String(\"\")") && shown.contains("String(\"b\\n\")"), "{text:?}: {shown}");
    }
}
