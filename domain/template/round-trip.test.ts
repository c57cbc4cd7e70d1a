import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { corpusJson } from '#test/fixture/corpus.ts'
import { fromMeta, toMeta } from './components.ts'
import { fromRecord } from './fixture/from-record.ts'
import { toRecord } from './record.ts'
import { fieldsOf, templateOf } from './template.ts'

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
