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

  const itemIn = (parts: string) => readFeed(`<rss><channel><item>${parts}</item></channel></rss>`, 1)?.items[0]

  it.each(['\n  ', '\ufeff', '<!-- made by a program -->\n', ' \n<!-- a --> <!-- b -->'])(
    'may have %j before its declaration',
    before => expect(readFeed(before + RSS, 1)?.title).toBe('News & more'),
  )

  it('takes an address that is the id of an item as its link', () => {
    const id = 'https://example.com/id'
    expect(itemIn(`<guid>${id}</guid>`)?.link).toBe(id)
    expect(itemIn(`<link/><guid isPermaLink="true">${id}</guid>`)?.link).toBe(id)
    expect(itemIn(`<guid isPermaLink="false">${id}</guid>`)?.link).toBe('')
    expect(itemIn('<guid>urn:uuid:1</guid>')?.link).toBe('')
    expect(itemIn(`<link>https://example.com/link</link><guid>${id}</guid>`)?.link).toBe('https://example.com/link')
  })

  it('describes an item by the first element that says something', () => {
    expect(itemIn('<description/><content:encoded>All of it</content:encoded>')?.description).toBe('All of it')
    expect(itemIn('<description> </description><summary>Short</summary>')?.description).toBe('Short')
  })

  it('shows no picture that counts readers', () => {
    const html = (...tags: string[]) => `<description><![CDATA[${tags.join('')}]]></description>`
    const seen = "<img src='https://example.com/seen.jpg?a=1&amp;b=2'>"
    const image = 'https://example.com/seen.jpg?a=1&b=2'
    expect(itemIn(html('<img width="1" height="1" src="https://example.com/1.gif">', seen))?.image).toBe(image)
    expect(itemIn(html('<img src="https://example.com/1.gif" height=0>', seen))?.image).toBe(image)
    expect(itemIn(html('<img src="http://feeds.feedburner.com/~r/a/~4/b">', seen))?.image).toBe(image)
    expect(
      itemIn(`<media:content medium="image" width="1" url="https://example.com/1.gif"/>${html(seen)}`)?.image,
    ).toBe(image)
    expect(itemIn(html('<img width="100%" src="https://example.com/wide.jpg">'))?.image).toBe(
      'https://example.com/wide.jpg',
    )
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
