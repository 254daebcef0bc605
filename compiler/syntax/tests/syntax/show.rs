//! The tree in a form short enough to compare.

use poolwright_syntax::tree::{Body, Expr, ExprKind, Item, ObjectKey, Step, TemplatePart, UnaryOp};

pub(crate) fn body(body: &Body) -> String {
    let items = body.items.iter().map(|item| match item {
        Item::Attribute(attribute) => format!("{}={}", attribute.name.text, expr(&attribute.value)),
        Item::Block(block) => {
            let labels = block.labels.iter().map(|label| format!(" {:?}", label.text)).collect::<String>();
            format!("{}{labels} {{{}}}", block.kind.text, self::body(&block.body))
        }
    });
    let mut items: Vec<String> = items.collect();
    if body.incomplete {
        items.push("?".to_owned());
    }
    items.join("; ")
}

pub(crate) fn expr(it: &Expr) -> String {
    let list = |all: &[Expr]| all.iter().map(expr).collect::<Vec<_>>().join(" ");
    match &it.kind {
        ExprKind::Null => "null".to_owned(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Number(text) => format!("#{text}"),
        ExprKind::String(text) => format!("{text:?}"),
        ExprKind::Template(all) => format!("`{}`", parts(all)),
        ExprKind::List(all) => format!("[{}]", list(all)),
        ExprKind::Object(items) => {
            let items = items.iter().map(|item| match &item.key {
                ObjectKey::Name(name) => format!("{}={}", name.text, expr(&item.value)),
                ObjectKey::Expr(key) => format!("<{}>={}", expr(key), expr(&item.value)),
            });
            format!("{{{}}}", items.collect::<Vec<_>>().join(" "))
        }
        ExprKind::Name(name) => name.text.to_string(),
        ExprKind::Traversal(base, steps) => {
            let steps = steps.iter().map(|step| match step {
                Step::Attribute(name) => format!(".{}", name.text),
                Step::Index(index) => format!("[{}]", expr(index)),
                Step::LegacyIndex(index, _) => format!(".{index}"),
                Step::AttributeSplat(_) => ".*".to_owned(),
                Step::FullSplat(_) => "[*]".to_owned(),
            });
            format!("{}{}", expr(base), steps.collect::<String>())
        }
        ExprKind::Call(call) => {
            let dots = if call.expand_last { "..." } else { "" };
            format!("{}({}{dots})", call.name.text, list(&call.arguments))
        }
        ExprKind::Unary(op, operand) => {
            let op = if *op == UnaryOp::Not { "!" } else { "-" };
            format!("({op} {})", expr(operand))
        }
        ExprKind::Binary(binary) => {
            format!("({:?} {} {})", binary.op, expr(&binary.left), expr(&binary.right))
        }
        ExprKind::Conditional(it) => {
            format!("(? {} {} {})", expr(&it.condition), expr(&it.then), expr(&it.otherwise))
        }
        ExprKind::For(it) => {
            let key = it.key.as_ref().map_or(String::new(), |key| format!("{},", key.text));
            let result = it.key_result.as_ref().map_or(String::new(), |key| format!("{} => ", expr(key)));
            let condition = it.condition.as_ref().map_or(String::new(), |it| format!(" if {}", expr(it)));
            let dots = if it.grouping { "..." } else { "" };
            let (value, collection) = (&it.value.text, expr(&it.collection));
            format!("(for {key}{value} in {collection} : {result}{}{dots}{condition})", expr(&it.result))
        }
        ExprKind::Parenthesis(inner) => format!("({})", expr(inner)),
    }
}

pub(crate) fn parts(all: &[TemplatePart]) -> String {
    let part = |part: &TemplatePart| match part {
        TemplatePart::Literal(text) => format!("{text:?}"),
        TemplatePart::Interpolation(inner) => format!("${}", expr(inner)),
        TemplatePart::If { condition, then, otherwise, .. } => {
            format!("%if {} {{{}}} {{{}}}", expr(condition), parts(then), parts(otherwise))
        }
        TemplatePart::For { key, value, collection, body, .. } => {
            let key = key.as_ref().map_or(String::new(), |key| format!("{},", key.text));
            format!("%for {key}{} in {} {{{}}}", value.text, expr(collection), parts(body))
        }
    };
    all.iter().map(part).collect::<Vec<_>>().join(" ")
}
