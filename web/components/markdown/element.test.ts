import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { markdownElement } from './element.tsx'
import { parseMarkdown } from './parse.ts'

const html = (source: string) => renderToStaticMarkup(markdownElement(parseMarkdown(source)))

test.each([
  ['# A\n\nB\n=', '<h3>A</h3><h3>B</h3>'],
  [
    'A\nstill\n\n**b** _c_ ~~d~~ `e*`',
    '<p>A\nstill</p><p><strong>b</strong> <em>c</em> <del>d</del> <code>e*</code></p>',
  ],
  ['- a\n- b\n  - c', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
  ['- a\n\n  b', '<ul><li><p>a</p><p>b</p></li></ul>'],
  ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
  ['- [x] a\n- [ ] b', '<ul><li data-task="true">☑ a</li><li data-task="false">☐ b</li></ul>'],
  ['> a', '<blockquote><p>a</p></blockquote>'],
  ['```js\na < b\n```', '<pre data-scroll=""><code>a &lt; b</code></pre>'],
  ['---', '<hr/>'],
  [
    '|a|b|\n|-|:-:|\n|1|2|',
    '<div data-scroll=""><table><thead><tr><th>a</th><th style="text-align:center">b</th></tr></thead>' +
      '<tbody><tr><td>1</td><td style="text-align:center">2</td></tr></tbody></table></div>',
  ],
  ['snake_case_name 2 * 3 \\*f\\*', '<p>snake_case_name 2 * 3 *f*</p>'],
  ['a[^1]\n\n[^1]: b', '<p>a<sup>1</sup></p><div data-footnote=""><sup>1</sup><div><p>b</p></div></div>'],
])('shows %j as it reads [P-165]', (source, shown) => {
  expect(html(source)).toBe(shown)
})

test('shows raw HTML as text [P-165]', () => {
  expect(html('a <script>alert(1)</script> <img src=x onerror=alert(1)>')).toBe(
    '<p>a &lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt;</p>',
  )
  expect(html('<div onclick="alert(1)">\n\n<!-- a -->')).not.toMatch(/<(?!\/?p>)/u)
  expect(html('<script>alert(1)</script> **b**')).toBe(
    '<p>&lt;script&gt;alert(1)&lt;/script&gt; <strong>b</strong></p>',
  )
  expect(html('[a](https://x.example"onclick="alert(1))')).not.toContain('"onclick="')
})

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'java&#10;script:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://x.example/1',
])('neither links to %s nor shows it as an image [P-165]', address => {
  const source = `[a](<${address}>) ![b](<${address}>) <${address}>\n\n[c][d] ![e][d]\n\n[d]: <${address}>`
  expect(html(source)).not.toMatch(/<(?:a|img)\b/u)
})

test('links to the web, to mail addresses and to places of the console [P-165]', () => {
  const link = (address: string, text = 'a') =>
    `<a href="${address}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`
  for (const address of [
    'https://x.example/a',
    'http://x.example',
    'mailto:ana@x.example',
    '/botadmin/bot/search',
    'b/c',
  ])
    expect(html(`[a](${address})`)).toBe(`<p>${link(address)}</p>`)
  expect(html('[a][B]\n\n> [b]: https://y.example\n\n[b]: https://z.example')).toContain(link('https://y.example'))
  expect(html('https://z.example/a_b.')).toBe(`<p>${link('https://z.example/a_b', 'https://z.example/a_b')}.</p>`)
})

test('shows images of the web and of uploaded files alone [P-165]', () => {
  for (const address of ['https://x.example/a.png', '/botadmin/files/root/a.png'])
    expect(html(`![a](${address})`)).toContain(
      `<img src="${address}" alt="a" loading="lazy" referrerPolicy="no-referrer"/>`,
    )
  for (const address of ['/botadmin/api/logout', '/botadmin/files/../api/x', 'mailto:a@b.example', 'a.png'])
    expect(html(`![a](${address})`), address).toBe('<p>a</p>')
})

test('leaves out what is nested deeper than its limit [P-165]', () => {
  expect(html(`${'> '.repeat(50)}a`)).toContain('<p>a</p>')
  expect(html(`${'> '.repeat(500)}a`)).not.toContain('<p>a</p>')
})
