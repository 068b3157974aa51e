// The grammar of language/GRAMMAR.md for tree-sitter. Rules have the names of the language's own syntax tree.
//
// Newlines mean something in some places and nothing in others, so they are tokens here and only blanks are skipped:
// a rule says `gap` where newlines and comments are allowed. What tree-sitter can't say in another way, that a word or
// a number may not stand somewhere, is said by a rule that goes on with `_nothing`, a character that no text has.

const reserved = [
  // <words keywords as   @list>
  'allow', 'and', 'else', 'if', 'import', 'in', 'not', 'or', 'then',
  // </words>
];
const units = [
  // <words units as   @list>
  'GiB', 'KiB', 'MiB', 'h', 'min', 'ms', 's', 'tokens', 'us', 'usd',
  // </words>
];
const number = /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/;

/** Newlines and comments, where they mean nothing. */
const gap = ($) => optional($._gap);

/** Brackets around elements with commas between them and, at will, one after the last. */
const bracketed = ($, open, element, close) =>
  seq(
    open,
    gap($),
    optional(seq(element, repeat(seq(gap($), ',', gap($), element)), gap($), optional(seq(',', gap($))))),
    close,
  );

/** An operator that groups from the left, with a gap behind it. */
const left = ($, rule, operand, operators) => seq(choice(rule, operand), operators, gap($), operand);

module.exports = grammar({
  name: 'trl',
  word: ($) => $.identifier,
  extras: () => [/[ \t]/],
  inline: ($) => [$._name],

  rules: {
    file: ($) =>
      seq(
        repeat($._between),
        repeat(seq($._top, optional($.comment), $._newline, repeat($._between))),
        optional(seq($._top, optional($.comment))),
      ),
    _top: ($) => choice($.import, seq(repeat(seq($.allow, repeat($._between))), $.declaration)),
    _newline: () => /\r?\n/,
    comment: () => /#[^\n]*/,
    doc: () => token(prec(1, /##[^\n]*/)),
    // Between items, where `##` documents the next one; elsewhere it is a comment.
    _between: ($) => choice($._newline, $.comment, $.doc),
    _gap: ($) => repeat1(choice($._newline, $.comment)),

    // Names.
    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,
    _name: ($) => choice($.identifier, seq(choice(...reserved), $._nothing)),
    _nothing: () => /\u{10FFFF}/,
    path: ($) => seq($._name, repeat(seq($._dot, $._name))),
    // No blank stands around it.
    _dot: ($) => choice(token.immediate('.'), seq(token.immediate(/\.[ \t]+/), $._nothing)),

    // Items.
    import: ($) => seq('import', field('path', $.path), optional(seq('as', field('name', $._name)))),
    allow: ($) =>
      seq(
        'allow',
        token.immediate('('),
        gap($),
        field('rule', $.path),
        gap($),
        ',',
        gap($),
        field('reason', $.text),
        gap($),
        ')',
      ),
    declaration: ($) =>
      seq(
        field('kind', alias($._name, $.kind)),
        field('name', alias($._name, $.declared)),
        optional($.dimensions),
        optional($.parameters),
        optional($.base),
        choice($.block, $.value),
      ),
    base: ($) => seq(':', $.path),
    block: ($) =>
      seq(
        '{',
        repeat($._between),
        repeat(choice(seq($._item, $._separator), seq($.allow, repeat($._between), optional($._comma)))),
        optional($._item),
        '}',
      ),
    _separator: ($) => choice($._comma, $._line_end),
    _comma: ($) => seq(',', optional($._line_end)),
    _line_end: ($) => seq(optional($.comment), $._newline, repeat($._between)),
    _item: ($) => choice($.declaration, $.section, $.field),
    section: ($) => seq(field('name', $.path), $.block),
    field: ($) =>
      seq(
        field('name', $.path),
        optional($.parameters),
        choice(seq(':', $.type, optional($.limits), optional($.value)), $.value),
      ),
    value: ($) => seq('=', gap($), $._expression),
    dimensions: ($) => bracketed($, token.immediate('['), $.dimension, ']'),
    dimension: ($) => seq(field('name', $._name), optional($.value)),
    parameters: ($) => bracketed($, token.immediate('('), $.parameter, ')'),
    parameter: ($) => seq(field('name', $._name), optional(seq(':', $.type))),
    type: ($) => seq($.path, repeat(choice($.arguments, $.indices))),
    limits: ($) => seq('in', $._range),

    // Expressions, from those that bind loosest.
    _expression: ($) => choice($.pipeline, $._choice),
    pipeline: ($) => left($, $.pipeline, $._choice, '->'),
    _choice: ($) => choice($.conditional, $._or),
    conditional: ($) =>
      seq(
        'if',
        gap($),
        field('condition', $._expression),
        gap($),
        'then',
        gap($),
        field('then', $._expression),
        gap($),
        'else',
        gap($),
        field('else', $._choice),
      ),
    _or: ($) => choice($.disjunction, $._and),
    disjunction: ($) => left($, $.disjunction, $._and, 'or'),
    _and: ($) => choice($.conjunction, $._not),
    conjunction: ($) => left($, $.conjunction, $._not, 'and'),
    _not: ($) => choice($.not, $._comparison),
    not: ($) => seq('not', gap($), $._not),
    _comparison: ($) => choice($.comparison, $._range),
    comparison: ($) => seq($._range, choice('==', '!=', '<', '<=', '>', '>='), gap($), $._range),
    _range: ($) => choice($.range, $._sum),
    range: ($) => seq($._sum, '..', gap($), $._sum),
    _sum: ($) => choice($.sum, $._product),
    sum: ($) => left($, $.sum, $._product, choice('+', '-')),
    _product: ($) => choice($.product, $._sign),
    product: ($) => left($, $.product, $._sign, choice('*', '/', '@')),
    _sign: ($) => choice($.minus, $._power),
    minus: ($) => seq('-', $._sign),
    _power: ($) => choice($.power, $._operand),
    power: ($) => seq($._operand, '^', gap($), $._sign),
    _operand: ($) => choice($.quantity, $.text, $._reference),

    _reference: ($) => choice($.path, $._postfixed),
    _postfixed: ($) => choice($.group, $.list, $.call, $.index, $.member),
    group: ($) => seq('(', gap($), $._expression, gap($), ')'),
    list: ($) => bracketed($, '[', $._expression, ']'),
    call: ($) => seq(field('function', $._reference), $.arguments),
    index: ($) => seq(field('of', $._reference), $.indices),
    member: ($) => seq(field('of', $._postfixed), $._dot, field('name', $._name)),
    arguments: ($) => bracketed($, token.immediate('('), $.argument, ')'),
    argument: ($) => choice(seq(field('label', alias($.path, $.label)), '=', gap($), $._expression), $._expression),
    indices: ($) => bracketed($, token.immediate('['), $._expression, ']'),

    // Literals. No letter follows a number or a unit. Of tokens of the same length the first of these is taken.
    quantity: ($) => choice(seq($.number, optional($.unit)), $.number_with_unit, seq($._stuck, $._nothing)),
    number: () => number,
    number_with_unit: () => token(seq(number, choice(...units))),
    _stuck: () => token(seq(number, /[A-Za-z_][A-Za-z0-9_]*/)),
    unit: ($) => choice('%', ...units, seq(/%[A-Za-z0-9_]/, $._nothing)),
    text: ($) => seq('"', repeat(choice($.escape, $._plain)), token.immediate('"')),
    _plain: () => token.immediate(prec(1, /[^"\\\r\n]+/)),
    escape: () => token.immediate(/\\([nt"\\]|u\{[0-9a-fA-F]{1,6}\})/),
  },
});
