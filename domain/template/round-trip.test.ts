import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { corpusJson } from '#test/fixture/corpus.ts'
import { fromMeta, toMeta } from './components.ts'
import { toRecord } from './record.ts'
import {
  exampleOrder,
  fieldsOf,
  type Template,
  type TemplateButton,
  type TemplateCard,
  type TemplateText,
  templateOf,
} from './template.ts'

const textAt = (object: JsonObject, name: string): string => {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}
const objects = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

const parsed = (text: string): JsonObject => {
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/**
 * Values of a sample for its text's variables. The words between two variables end a value; adjacent variables share
 * one.
 */
const readExamples = (text: string, sample: string): TemplateText['examples'] => {
  const parts = text.split(/\{\{([^{}\s]{1,100})\}\}/u)
  if (!sample.startsWith(parts[0] ?? '')) return []
  const examples = new Map<string, string>()
  let at = (parts[0] ?? '').length
  for (let index = 1; index < parts.length; index += 2) {
    const [name = '', after = ''] = parts.slice(index, index + 2)
    const isLast = index + 2 >= parts.length
    const end = isLast && after === '' ? sample.length : sample.indexOf(after, at)
    if (end < 0) return []
    const value = sample.slice(at, end)
    if (!examples.has(name) && value !== `{{${name}}}`) examples.set(name, value)
    at = end + after.length
  }
  return exampleOrder(text).flatMap(name => {
    const value = examples.get(name)
    return value === undefined ? [] : [{ name, value }]
  })
}

const textOf = (text: string, sample: string): TemplateText => ({ text, examples: readExamples(text, sample) })

const buttonOf = (member: JsonObject): TemplateButton => {
  const text = textAt(member, 'text')
  const [example = null] = (Array.isArray(member.example) ? member.example : []).map(String)
  const type = textAt(member, 'type')
  if (type === 'URL') return { type, text, url: textAt(member, 'url'), example }
  if (type === 'PHONE_NUMBER') return { type, text, phoneNumber: textAt(member, 'phone_number') }
  if (type === 'COPY_CODE') return { type, example: example ?? '' }
  return type === 'OTP' ? { type, text } : { type: 'QUICK_REPLY', text }
}

const cardOf = (card: JsonObject): TemplateCard => ({
  format: card.headerType === 'VIDEO' ? 'VIDEO' : 'IMAGE',
  handle: textAt(card, 'mediaId') || null,
  body: 'body' in card ? textOf(textAt(card, 'body'), textAt(card, 'sampleText')) : null,
  buttons: objects(card.buttons).map(buttonOf),
})

const headerOf = (type: string, container: JsonObject): Template['header'] => {
  if (type === 'LOCATION') return { format: type }
  if (type === 'IMAGE' || type === 'VIDEO' || type === 'DOCUMENT')
    return { format: type, handle: textAt(container, 'sampleMedia') || textAt(container, 'mediaId') || null }
  const text = textAt(container, 'header')
  return text === '' ? null : { format: 'TEXT', ...textOf(text, textAt(container, 'sampleHeader')) }
}

/** The template that a provider's record holds. */
const fromRecord = (record: JsonObject): Template => {
  const container = parsed(textAt(record, 'containerMeta'))
  const text = textAt(container, 'data')
  const body = textOf(text, textAt(container, 'sampleText'))
  const isNamed = body.examples.some(({ name }) => !/^\d+$/u.test(name))
  return {
    name: textAt(record, 'elementName'),
    language: textAt(record, 'languageCode'),
    category: textAt(record, 'category') as Template['category'],
    parameterFormat: isNamed ? 'named' : 'positional',
    header: headerOf(textAt(record, 'templateType'), container),
    body: text === '' ? null : body,
    footer: textAt(container, 'footer') || null,
    buttons: objects(container.buttons).map(buttonOf),
    cards: objects(container.cards).map(cardOf),
    addSecurityRecommendation: container.addSecurityRecommendation === true,
    codeExpirationMinutes: null,
  }
}

interface Sample {
  readonly call: string
  readonly name: string
  readonly body: JsonObject
}

const isTemplate = (value: Json): value is JsonObject => isObject(value) && Array.isArray(value.components)

describe('a template is the same in every form', () => {
  const samples = corpusJson<readonly Sample[]>('campaigns/meta-openapi/templates.json').flatMap(({ body }) =>
    [body, ...(Array.isArray(body.data) ? body.data : [])].filter(isTemplate),
  )

  test.each(samples)('as components of Meta: $name [D-3.11.01] [D-3.11.09] [P-1224]', sample => {
    const { components, name, language, category } = toMeta(fromMeta(sample))
    expect({ name, language, category }).toEqual({
      name: sample.name,
      language: sample.language,
      category: sample.category,
    })
    expect(components).toEqual(sample.components)
  })

  test.each(samples.filter(({ components }) => !JSON.stringify(components).includes('handle')))(
    'as fields of the entity: $name [P-1224]',
    sample => {
      const template = fromMeta(sample)
      expect(templateOf(fieldsOf(template))).toEqual(template)
    },
  )

  const { records } = corpusJson<{ records: readonly JsonObject[] }>('campaigns/constructed/template-records.json')

  test.each(records)(
    'as a record of a provider: $elementName [D-3.11.02] [D-3.11.03] [D-3.11.04] [D-3.11.06] [D-3.11.07] [D-3.11.08] [D-3.11.10] [D-3.11.11] [P-1224]',
    record => {
      const template = fromRecord(record)
      const made = toRecord(template, {
        appId: String(record.appId),
        id: String(record.id),
        externalId: typeof record.externalId === 'string' ? record.externalId : null,
        wabaId: String(record.wabaId),
        createdOn: Number(record.createdOn),
        modifiedOn: Number(record.modifiedOn),
        oldCategory: typeof record.oldCategory === 'string' ? record.oldCategory : null,
        quality: String(record.quality),
        status: String(record.status),
        reason: typeof record.reason === 'string' ? record.reason : null,
        priority: record.priority === 2 ? 2 : 1,
        vertical: String(record.vertical),
        namespace: String(record.namespace),
        allowTemplateCategoryChange: false,
        mediaId: (JSON.parse(String(record.containerMeta)) as { mediaId?: string }).mediaId ?? null,
      })
      const opened = ({ containerMeta, meta, ...rest }: JsonObject) => ({
        ...rest,
        containerMeta: JSON.parse(String(containerMeta)) as unknown,
        meta: JSON.parse(String(meta)) as unknown,
      })
      expect(opened(made)).toEqual(opened(record))
      // Meta's components hold the same template.
      expect(fromMeta({ ...toMeta(template) } as unknown as JsonObject)).toEqual(template)
    },
  )
})
