/** JSON values that a server may lose or change if it stores them in another form than JSON. */
export const unusualValues = {
  number: 2 ** 40,
  fraction: 1.1,
  list: [true, false, 0, null, '', 0.5, [], {}, 'one'],
  digits: { 0: 'zero', 1: 'one' },
  names: { 'with.dot': 'dot', camelCase: 'camel', 'é 日本': 'not ASCII', no: false, zero: 0, none: null, empty: '' },
  nested: { in: { in: { in: { in: [1] } } }, object: {} },
}

/** Further values: numbers and texts of other forms, and lists, objects and names of other sizes. */
export const rareValues = {
  ...unusualValues,
  numbers: [-7, -0.5, 0.123456, 1e-7],
  repeated: [
    [1, 1],
    [1, 1, [2]],
  ],
  long: Array.from({ length: 24 }, (_, index) => `${index}`),
  many: Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`name_${index}`, index])),
  texts: [
    'true',
    'null',
    '0012',
    '1e3',
    '{"a": 1}',
    '2026-01-31',
    '2026-01-31T12:30:45.120+02:00',
    'long '.repeat(300),
  ],
  rare_names: {
    'with-dash': 'dash',
    ' with spaces ': 'spaces',
    _underscore: 'underscore',
    sort_key: 'name',
    [`long${'_name'.repeat(20)}`]: 'long',
  },
  deep: { in: { in: { in: { in: { in: { in: { in: [1] } } } } } } },
}
