import type { Json } from '#schemas/event.ts'
import { objectOf, textOf } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'
import en from '#schemas/locales/en/mail.json' with { type: 'json' }
import es from '#schemas/locales/es/mail.json' with { type: 'json' }
import pt from '#schemas/locales/pt/mail.json' with { type: 'json' }

const TEXTS = { en, es, pt } as const satisfies Record<Language, unknown>

type Values = Readonly<Record<string, string | number>>

/** A text with its values, each on one line: names are written by people. */
export const filled = (text: string, values: Values): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    String(values[name] ?? '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' '),
  )

/** A text of mail.json by its path, as `reset.subject`. */
export const mailText = (language: Language, path: string, values: Values = {}): string => {
  const found = path.split('.').reduce<Json>((texts, name) => objectOf(texts)[name] ?? null, TEXTS[language])
  return filled(textOf(found), values)
}

/** Day and time of a moment, UTC. */
export const mailTime = (language: Language, ms: number): string =>
  `${new Intl.DateTimeFormat(language === 'pt' ? 'pt-BR' : language, {
    ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' },
  }).format(ms)} UTC`

/** One line of a mail, with the page that it leads to. */
export interface MailLine {
  readonly text: string
  readonly url?: string | undefined
  /** Text of the link. */
  readonly link?: string
}

interface MailParts {
  readonly language: Language
  /** First name of the person; empty where it is not known. */
  readonly name: string
  readonly lines: readonly MailLine[]
  /** Reason of the mail, or advice. */
  readonly why?: string | undefined
  /** Name and host of the installation. */
  readonly foot: string
  /** Page where mails are turned off. */
  readonly off?: string | undefined
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.codePointAt(0)};`)

/** Text and plain HTML of a mail: no pictures, no scripts, nothing that is loaded. */
export const renderMail = ({ language, name, lines, why, foot, off }: MailParts) => {
  const greeting = name === '' ? mailText(language, 'helloall') : mailText(language, 'hello', { name })
  const choice = off === undefined ? [] : [mailText(language, 'off', { url: off })]
  const text = [
    greeting,
    ...lines.flatMap(line => [line.text, ...(line.url === undefined ? [] : [line.url])]),
    ...(why === undefined ? [] : [why]),
    ['--', foot, ...choice].join('\n'),
  ].join('\n\n')
  const paragraph = (content: string) => `<p style="margin:0 0 16px">${content}</p>`
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1a1a1a;background:#ffffff">',
    paragraph(escaped(greeting)),
    ...lines.map(({ text: words, url, link }) =>
      paragraph(
        escaped(words) + (url === undefined ? '' : `<br><a href="${escaped(url)}">${escaped(link ?? url)}</a>`),
      ),
    ),
    ...(why === undefined ? [] : [paragraph(escaped(why))]),
    `<p style="margin:24px 0 0;font-size:13px;color:#595959">${[foot, ...choice].map(escaped).join('<br>')}</p>`,
    '</body></html>',
  ].join('\n')
  return { text, html }
}
