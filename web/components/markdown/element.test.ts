import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { markdownElement } from './element.tsx'

const html = (source: string) => renderToStaticMarkup(markdownElement(source))

test.each([
  ['# A', '<h3>A</h3>'],
  [
    'A\n\nstill **b** _c_ ~~d~~ `e*`',
    '<p>A</p><p>still <strong>b</strong> <em>c</em> <del>d</del> <code>e*</code></p>',
  ],
  ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
  ['- [x] a\n- [ ] b', '<ul><li data-task="true">☑ a</li><li data-task="false">☐ b</li></ul>'],
  ['> a', '<blockquote><p>a</p></blockquote>'],
  ['```js\na < b\n```', '<pre data-scroll=""><code>a &lt; b</code></pre>'],
  ['---', '<hr/>'],
  [
    '|a|b|\n|-|:-:|\n|1|2|',
    '<div data-scroll=""><table><thead><tr><th>a</th><th style="text-align:center">b</th></tr></thead><tbody><tr><td>1</td><td style="text-align:center">2</td></tr></tbody></table></div>',
  ],
  ['snake_case_name 2 * 3 \\*f\\*', '<p>snake_case_name 2 * 3 *f*</p>'],
])('shows %j as it reads [P-165]', (source, shown) => {
  expect(html(source)).toBe(shown)
})

test('shows raw HTML as text and links to no script [P-165]', () => {
  expect(html('a <script>alert(1)</script> <img src=x onerror=alert(1)>')).toBe(
    '<p>a &lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt;</p>',
  )
  for (const address of [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '/logout',
    '//x.example',
  ]) {
    expect(html(`[a](${address}) ![b](${address}) <${address}>\n\n[c][d]\n\n[d]: ${address}`), address).not.toMatch(
      /<(?:a|img)/u,
    )
  }
  expect(html('[a](https://x.example) [b][C]\n\n[c]: https://y.example')).toMatch(
    /<a href="https:\/\/x\.example" target="_blank" rel="noopener noreferrer nofollow">a<\/a> <a href="https:\/\/y\.example"/u,
  )
  expect(html('[a](https://x.example"onclick="alert(1))')).not.toContain('"onclick="')
})

test('shows what is nested without end as far as anyone nests it [P-165]', () => {
  expect(html('> '.repeat(2000))).toContain('<blockquote>')
})

test.each([
  ['brackets', '['],
  ['emphasis', '*a _'],
  ['strong emphasis', '**a'],
  ['backticks', '`a``b```'],
  ['tables', '|a'],
  ['addresses', 'http://'],
  ['links', '[a](<b'],
])('reads 20,000 characters of %s within a second or two [P-165]', (_, part) => {
  const source = part.repeat(20_000 / part.length)
  const start = performance.now()
  html(source)
  // Quadratic work in all of them would take minutes.
  expect(performance.now() - start).toBeLessThan(10_000)
})
