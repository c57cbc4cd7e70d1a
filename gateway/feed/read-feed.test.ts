import { describe, expect, it } from 'vitest'
import { readFeed } from './read-feed.ts'

const RSS = `<?xml version="1.0"?><rss version="2.0" xmlns:media="m"><channel><title>News &amp; more</title>
  <item><title>One</title><link>https://example.com/1</link>
    <description>&lt;p&gt;A &lt;b&gt;bold&lt;/b&gt; word &amp;amp; more&lt;script&gt;alert(1)&lt;/script&gt;&lt;/p&gt;</description>
    <enclosure url="https://example.com/1.mp3" type="audio/mpeg"/><media:thumbnail url="https://example.com/1.png"/></item>
  <item><title><![CDATA[Two]]></title><link>javascript:alert(1)</link>
    <description><![CDATA[<img alt="x" src="https://example.com/2.jpg"> text]]></description></item>
  <item><title>Three</title></item>
</channel></rss>`
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><entry><title type="html">E</title>
  <link rel="self" href="https://example.com/self"/><link href="https://example.com/e"/><summary>S</summary>
  <link rel="enclosure" type="image/png" href="https://example.com/e.png"/></entry></feed>`
const RDF = `<rdf:RDF><channel><title>Old</title></channel><item><title>R</title><link>https://example.com/r</link></item></rdf:RDF>`

describe('a feed', () => {
  it('gives its items with their descriptions as text, their links and their pictures', () => {
    expect(readFeed(RSS, 2)).toEqual({
      title: 'News & more',
      items: [
        {
          title: 'One',
          description: 'A bold word & more',
          link: 'https://example.com/1',
          image: 'https://example.com/1.png',
        },
        { title: 'Two', description: 'text', link: '', image: 'https://example.com/2.jpg' },
      ],
    })
    expect(readFeed(ATOM, 9)?.items).toEqual([
      { title: 'E', description: 'S', link: 'https://example.com/e', image: 'https://example.com/e.png' },
    ])
    expect(readFeed(RDF, 9)).toMatchObject({ title: 'Old', items: [{ title: 'R', link: 'https://example.com/r' }] })
  })

  it.each([
    ['a page', '<!doctype html><html><body><p>Hello<br></body></html>'],
    ['JSON', '{"items": []}'],
    ['nothing', ''],
    ['other XML', '<catalog><item/></catalog>'],
    ['half of a feed', RSS.slice(0, 300)],
    ['what is deeper than any feed', '<rss>'.repeat(200_000)],
  ])('is not %s', (_name, text) => expect(readFeed(text, 9)).toBeUndefined())

  it('expands no entity of its own, and reads nothing outside of itself', () => {
    const laughs = Array.from({ length: 30 }, (_, at) => `<!ENTITY l${at + 1} "&l${at};&l${at};">`).join('')
    const hostile = `<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY l0 "ha">${laughs}]>
      <rss><channel><title>&f;&l30;</title><item><title>&l30;</title></item></channel></rss>`
    expect(readFeed(hostile, 9)).toEqual({
      title: '&f;&l30;',
      items: [{ title: '&l30;', description: '', link: '', image: '' }],
    })
  })
})
