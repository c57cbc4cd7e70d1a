import { describe, expect, it } from 'vitest'
import { BLOCK_CATEGORIES } from '../block.ts'
import type { BlockField, BlockFields } from '../flow/block-field.ts'
import { blockFieldSchema } from '../flow/block-field-schema.ts'
import { blockLabel } from '../flow/block-label.ts'
import en from '../locales/en/block.json' with { type: 'json' }
import es from '../locales/es/block.json' with { type: 'json' }
import pt from '../locales/pt/block.json' with { type: 'json' }
import { blocks } from './registry.ts'

const all = Object.values(blocks)

const fieldsOf = (fields: BlockFields, path: readonly string[] = []): { path: string[]; field: BlockField }[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const here = [...path, name]
    const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.item : {}
    return [{ path: here, field }, ...fieldsOf(inner, here)]
  })

const initials = (type: keyof typeof blocks) =>
  Object.fromEntries(
    fieldsOf(blocks[type].fields).flatMap(({ path, field }) =>
      'initial' in field ? [[path.join('.'), field.initial]] : [],
    ),
  )

describe('blocks', () => {
  it('are the types of the specification, each with a category, an icon and connectors [D-3.12.01]', () => {
    expect(all).toHaveLength(35)
    for (const block of all) {
      expect(BLOCK_CATEGORIES).toContain(block.category)
      expect(block.icon).toMatch(/^[A-Z][A-Za-z]+$/u)
      expect(block.hasInput || block.hasOutput).toBe(true)
    }
  })

  it('begin, end and branch where the specification says [D-3.12.03] [D-3.12.13] [D-3.12.22]', () => {
    expect(all.filter(block => !block.hasInput).map(block => block.type)).toEqual(['start', 'gotonodedest'])
    const ends = ['gototask', 'gotonodesrc', 'goback', 'enddialog', 'endconversation']
    expect(all.filter(block => !block.hasOutput).map(block => block.type)).toEqual(ends)
    expect(blocks.condition.itemOutputs).toBe('conditions')
    expect(blocks.condition.outputs.map(output => output.id)).toEqual(['output_default'])
  })

  it('have the common properties with their defaults [D-3A.02] [D-3A.03]', () => {
    for (const { type } of all) {
      expect(initials(type)).toMatchObject({
        titleorig: '',
        enableDelay: false,
        retention: false,
        valid: false,
        'data.type': 'text',
      })
      expect(blocks[type].fields.data).toMatchObject({ kind: 'group' })
    }
  })

  it('have the defaults of the specification [D-3A.10] [D-3A.11] [D-3A.12] [D-3A.18] [D-3A.19] [D-3A.21] [D-3A.23] [D-3A.28] [D-3A.29]', () => {
    expect(initials('prompt')).toMatchObject({
      mandatory: true,
      overrideIntentHandler: false,
      enableSuggestedActions: false,
      entityconfidence: 70,
      maxRetries: 3,
      isPromptDynamic: false,
      dataAvailableForSubDialogs: false,
      dataAvailableForSubTasks: false,
      'data.type': 'text',
      'data.dateExtractType': 'date',
    })
    expect(initials('schedule')).toMatchObject({
      scheduleUnit: 'hour',
      scheduleQuantity: 1,
      dontExecuteIfInConversation: true,
    })
    expect(initials('handler')).toMatchObject({ quickscript: false, name: '', js: '' })
    expect(initials('restservice')).toMatchObject({ methodType: 'get', retries: 2, timeout: 20_000 })
    expect(initials('rssfeed')).toMatchObject({ numberOfNews: 3, timeout: 20_000 })
    expect(initials('productcard')).toMatchObject({ messageType: 'SINGLE_PRODUCT', headerType: 'NONE' })
    expect(initials('adaptivecard')).toMatchObject({ putSubmitButton: false })
    expect(initials('receiptcard')).toMatchObject({ specificToChannel: 'microsoft_channels' })
  })

  it('have defaults that their own fields accept, but for what a person must choose', () => {
    for (const { type, fields } of all) {
      for (const { path, field } of fieldsOf(fields)) {
        if (!('initial' in field) || ('required' in field && field.required)) continue
        expect(blockFieldSchema(field).safeParse(field.initial).success, `${type}.${path.join('.')}`).toBe(true)
      }
    }
  })

  it('are named, with all their fields, options and outputs, in all three languages', () => {
    expect(Object.keys(pt)).toEqual(Object.keys(en))
    expect(Object.keys(es)).toEqual(Object.keys(en))
    for (const language of [en, pt, es]) expect(Object.values(language).every(label => label.trim() !== '')).toBe(true)
    const has = (keys: readonly string[]) => keys.some(key => Object.hasOwn(en, key))
    for (const { type, category, fields, inputs, outputs } of all) {
      expect(has([`type.${type}`]) && has([`description.${type}`]) && has([`category.${category}`]), type).toBe(true)
      for (const { id } of inputs) expect(has(blockLabel.input(type, id)), `${type} ${id}`).toBe(true)
      for (const { id } of outputs) expect(has(blockLabel.output(type, id)), `${type} ${id}`).toBe(true)
      for (const { path, field } of fieldsOf(fields)) {
        expect(has(blockLabel.field(type, path)), `${type} ${path}`).toBe(true)
        expect(has([`tab.${field.tab}`])).toBe(true)
        const options = field.kind === 'enumeration' ? field.values : []
        for (const option of options) expect(has(blockLabel.option(path, option)), `${path} ${option}`).toBe(true)
      }
    }
  })
})
