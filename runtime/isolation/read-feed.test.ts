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

  const dated = (element: string, times: readonly string[]) =>
    times.map((time, place) => `<item><title>${place + 1}</title><${element}>${time}</${element}></item>`).join('')
  const titlesIn = (items: string, most: number) =>
    readFeed(`<rss><channel>${items}</channel></rss>`, most)?.items.map(({ title }) => title)

  it('gives its newest items, wherever they are in the document [D-3.12.45]', () => {
    const june = (day: number) => `0${day} Jun 2026 10:00:00 GMT`
    expect(titlesIn(dated('pubDate', [june(1), june(3), june(2), june(4)]), 2)).toEqual(['4', '2'])
    expect(titlesIn(dated('dc:date', ['2026-06-01T23:30:00-03:00', '2026-06-02T01:00:00Z']), 1)).toEqual(['1'])
    const entry = (day: number) => `<entry><title>${day}</title><updated>2026-06-0${day}T00:00:00Z</updated></entry>`
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom">${entry(1)}${entry(2)}${entry(3)}</feed>`
    expect(readFeed(atom, 2)?.items.map(({ title }) => title)).toEqual(['3', '2'])
  })

  it('keeps the order of items of the same time and of those without one', () => {
    expect(titlesIn(dated('pubDate', ['', 'yesterday', '']), 2)).toEqual(['1', '2'])
    const same = '01 Jun 2026 10:00:00 GMT'
    expect(titlesIn(dated('pubDate', ['', same, same]), 3)).toEqual(['2', '3', '1'])
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

  it('resolves relative addresses by xml:base, the page of the feed or its own address', () => {
    const item = '<item><link>/a?b=1</link><description>&lt;img src="/p.jpg"></description></item>'
    const rss = (before: string) => `<rss><channel>${before}${item}</channel></rss>`
    const of = (xml: string) => {
      const { link, image } = readFeed(xml, 1, 'https://feeds.test/x/rss')?.items[0] ?? {}
      return [link, image]
    }
    expect(of(rss(''))).toEqual(['https://feeds.test/a?b=1', 'https://feeds.test/p.jpg'])
    expect(of(rss('<link>https://news.test/</link>'))).toEqual(['https://news.test/a?b=1', 'https://news.test/p.jpg'])
    const atom = `<feed xml:base="https://base.test/"><entry xml:base="b/"><link href="c"/>
      <content type="html" xml:base="/d/">&lt;img src="e.png"></content></entry></feed>`
    expect(of(atom)).toEqual(['https://base.test/b/c', 'https://base.test/d/e.png'])
    expect(of('<feed><entry><link href="c"/></entry></feed>')).toEqual(['https://feeds.test/x/c', ''])
    // An id is no relative address.
    expect(of('<rss><channel><item><guid>123</guid></item></channel></rss>')).toEqual(['', ''])
  })

  it('takes the first link that leads to a page', () => {
    const links = `<link rel="alternate" type="application/json" href="https://a.test/json"/>
      <link rel="alternate" type="text/html" href="https://a.test/page"/>`
    expect(readFeed(`<feed><entry>${links}</entry></feed>`, 1)?.items[0]?.link).toBe('https://a.test/page')
    expect(itemIn('<link/><atom:link href="https://a.test/page"/>')?.link).toBe('https://a.test/page')
  })

  it('finds pictures by the names of their files, in XHTML and in an image of the item', () => {
    const picture = 'https://a.test/p.jpg'
    expect(itemIn(`<media:content url="${picture}?w=1"/>`)?.image).toBe(`${picture}?w=1`)
    expect(itemIn('<media:content url="https://a.test/v.mp4"/>')?.image).toBe('')
    expect(itemIn(`<media:content medium="video"><media:thumbnail url="${picture}"/></media:content>`)?.image).toBe(
      picture,
    )
    expect(itemIn(`<image><url>${picture}</url></image>`)?.image).toBe(picture)
    const xhtml = `<content type="xhtml"><div><p>Text</p><img src="https://a.test/1.gif" width="1"/><img src="${picture}"/></div></content>`
    expect(readFeed(`<feed><entry>${xhtml}</entry></feed>`, 1)?.items[0]).toMatchObject({
      description: 'Text',
      image: picture,
    })
  })

  it.each([
    '<img src="https://a.test/x.gif" style="border:0; width: 1px; height: 1px">',
    '<img src="https://a.test/x.gif" style="display:none">',
    '<img src="https://ad.doubleclick.net/x.gif">',
    '<img src="https://a.test/1x1.gif?id=7">',
  ])('passes over %s, which counts readers', tracker => {
    const html = `${tracker}<img src="https://a.test/p.jpg" style="max-width:100%;width:20px">`
    expect(itemIn(`<description><![CDATA[${html}]]></description>`)?.image).toBe('https://a.test/p.jpg')
  })

  it('reads the names and numbers of characters as HTML has them', () => {
    const html = '<p>S&atilde;o Paulo &mdash; pre&#231;o&#146;s &euro;&nbsp;5 &unknown;</p>'
    const description = 'São Paulo — preço’s € 5 &unknown;'
    expect(itemIn(`<description><![CDATA[${html}]]></description>`)?.description).toBe(description)
    expect(itemIn(`<description>${html}</description>`)?.description).toBe(description)
  })

  it('is read though it holds bare ampersands and control characters', () => {
    expect(itemIn('<link>https://a.test/?a=1&b=2</link><title>A & B\u0008</title>')).toMatchObject({
      link: 'https://a.test/?a=1&b=2',
      title: 'A & B',
    })
    expect(itemIn('<title><![CDATA[A & B]]></title><!-- & --><description>&amp; 🎉</description>')).toMatchObject({
      title: 'A & B',
      description: '& 🎉',
    })
  })

  it.each(['<!--', '<![CDATA[', '&'])('is read in a time that grows with its length: %s', part => {
    // Half a million openings without an end: quadratic work would take minutes.
    expect(readFeed(`${part.repeat(500_000)}<?xml version="1.0"?>`, 1)).toBeUndefined()
  })

  it.each([
    ['a page', '<!doctype html><html><body><p>Hello<br></body></html>'],
    ['JSON', '{"items": []}'],
    ['nothing', ''],
    ['other XML', '<catalog><item/></catalog>'],
    ['half of a feed', RSS.slice(0, 300)],
    ['what is deeper than any feed', '<rss>'.repeat(200_000)],
  ])('is not %s', (_name, text) => expect(readFeed(text, 9)).toBeUndefined())

  it('expands no declared entity and reads no external resource', () => {
    const laughs = Array.from({ length: 30 }, (_, at) => `<!ENTITY l${at + 1} "&l${at};&l${at};">`).join('')
    const hostile = `<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY l0 "ha">${laughs}]>
      <rss><channel><title>&f;&l30;</title><item><title>&l30;</title></item></channel></rss>`
    expect(readFeed(hostile, 9)).toEqual({
      title: '&f;&l30;',
      items: [{ title: '&l30;', description: '', link: '', image: '' }],
    })
  })
})
