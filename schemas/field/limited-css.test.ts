import { expect, test } from 'vitest'
import { cssFault } from './limited-css.ts'

test('lets rules set the looks of boxes and text [P-221]', () => {
  expect(cssFault('')).toBeUndefined()
  expect(cssFault('.bubble, .bubble:hover > p { color: #123; border-radius: 8px; PADDING: 4px }')).toBeUndefined()
  expect(cssFault('/* url(x) */\n.a{background:linear-gradient(90deg, red, blue)}\n')).toBeUndefined()
})

test.each([
  ['.a { background: url(https://x.example/p) }', 1, 'url('],
  ['.a { color: red }\n@import "x";', 2, '@'],
  ['.a {\n  color: red;\n  position: fixed\n}', 3, 'position: fixed'],
  ['.a { width: expression(alert(1)) }', 1, 'expression('],
  ['.a { color: r\\65 d }', 1, '\\'],
  ['</style><script>alert(1)</script>', 1, '<'],
  ['.a { color: red', 1, '.a { color: red'],
  ['.a { color }', 1, 'color'],
  ['a[href] { color: red }', 1, 'a[href]'],
])('names the line of what it does not allow: %s [P-221]', (css, line, text) => {
  expect(cssFault(css)).toEqual({ line, text })
})

test('reads a megabyte in a moment [P-221]', () => {
  const started = performance.now()
  cssFault(`${'.a{color:red;'.repeat(80_000)}`)
  cssFault('{'.repeat(1_000_000))
  cssFault(`${'/*'.repeat(300_000)}`)
  expect(performance.now() - started).toBeLessThan(2000)
})
