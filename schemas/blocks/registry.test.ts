import { describe, expect, it } from 'vitest'
import { BLOCK_CATEGORIES } from '../block.ts'
import type { BlockField, BlockFields } from '../flow/block-field.ts'
import { blockFieldSchema } from '../flow/block-field-schema.ts'
import { blockLabel } from '../flow/summary.ts'
import en from '../locales/en/block.json' with { type: 'json' }
import es from '../locales/es/block.json' with { type: 'json' }
import pt from '../locales/pt/block.json' with { type: 'json' }
import { blocks } from './registry.ts'

const all = Object.values(blocks).filter(({ runs }) => runs)

const fieldsOf = (fields: BlockFields, path: readonly string[] = []): { path: string[]; field: BlockField }[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const here = [...path, name]
    const inner = field.kind === 'group' ? field.fields : field.kind === 'list' ? field.item : {}
    return [{ path: here, field }, ...fieldsOf(inner, here)]
  })

type Type = keyof typeof blocks
const ONE = ['output_1']

const initials = (type: Type) =>
  Object.fromEntries(
    fieldsOf(blocks[type].fields).flatMap(({ path, field }) =>
      'initial' in field ? [[path.join('.'), field.initial]] : [],
    ),
  )

describe('blocks', () => {
  it('are the types of the specification, each with a category, an icon and connectors [D-3.12.01]', () => {
    expect(all).toHaveLength(36)
    for (const block of all) {
      expect(BLOCK_CATEGORIES).toContain(block.category)
      expect(block.icon).toMatch(/^[A-Z][A-Za-z]+$/u)
      expect(block.hasInput || block.hasOutput).toBe(true)
    }
  })

  it('that are drawn for people alone have no connectors, no common properties and a size', () => {
    const others = Object.values(blocks).filter(({ runs }) => !runs)
    expect(others.map(({ type }) => type)).toEqual(['note', 'group'])
    for (const { hasInput, hasOutput, fields, shape } of others) {
      expect({ hasInput, hasOutput, data: fields.data }).toEqual({ hasInput: false, hasOutput: false })
      expect(shape).toBeDefined()
      expect(fields).toMatchObject({ width: { kind: 'integer' }, height: { kind: 'integer' } })
    }
  })

  it('begin, end and branch where the specification says [D-3.12.03] [D-3.12.13] [D-3.12.22]', () => {
    expect(all.filter(block => !block.hasInput).map(block => block.type)).toEqual(['start', 'gotonodedest'])
    const ends = ['gototask', 'gotonodesrc', 'goback', 'enddialog', 'endconversation']
    expect(all.filter(block => !block.hasOutput).map(block => block.type)).toEqual(ends)
    expect(blocks.condition.itemOutputs).toBe('conditions')
    expect(blocks.condition.outputs.map(output => output.id)).toEqual(['output_default'])
  })

  it.each<[string, Partial<Record<Type, readonly string[]>>, { input?: false }?]>([
    ['marker leads on [D-3.12.05]', { marker: ONE }],
    ['text leads on [D-3.12.07]', { text: ONE }],
    [
      'prompt leads on when it is answered, and elsewhere when it gives up [D-3.12.09]',
      { prompt: [...ONE, 'output_giveup'] },
    ],
    ['location leads on [D-3.12.11]', { location: ONE }],
    ['subdialog leads on [D-3.12.15]', { subdialog: ONE }],
    ['tasks lead away, or on when they are waited for [D-3.12.17]', { gototask: [], gototaskandwait: ONE }],
    ['schedule leads on [D-3.12.20]', { schedule: ONE }],
    ['a jump ends here, and names where it goes on [D-3.12.25]', { gotonodesrc: [] }],
    ['its destination begins there [D-3.12.25]', { gotonodedest: ONE }, { input: false }],
    ['workinghour tells within from outside [D-3.12.27]', { workinghour: [...ONE, 'output_outside'] }],
    [
      'what handles data leads on [D-3.12.29]',
      { assignvariables: ONE, transformdata: ONE, clearvariables: ONE, assignuserdata: ONE },
    ],
    ['handler leads on [D-3.12.34]', { handler: ONE }],
    ['restservice tells success from error [D-3.12.36]', { restservice: [...ONE, 'output_error'] }],
    [
      'handing over leads on when it is over [D-3.12.38]',
      { connecttoagent: ONE, talktomlsystem: ONE, talktoanotherbot: ONE },
    ],
    [
      'cards lead on [D-3.12.42]',
      { herocard: ONE, carousel: ONE, mediacard: ONE, adaptivecard: ONE, productcard: ONE, receiptcard: ONE },
    ],
    ['rssfeed leads on [D-3.12.44]', { rssfeed: ONE }],
    [
      'a message, a way back and a context are there too [D-3.12.46]',
      { sendmessage: ONE, goback: [], contextdialog: ONE },
    ],
  ])('%s', (_title, outputs, { input = true } = {}) => {
    for (const [type, ids] of Object.entries(outputs)) {
      const block = blocks[type as Type]
      expect({ type, input: block.hasInput, outputs: block.outputs.map(({ id }) => id) }).toEqual({
        type,
        input,
        outputs: ids,
      })
    }
  })

  it('are sorted into five categories [D-3.12.02]', () => {
    const types = Object.groupBy(all, ({ category }) => category)
    const categories = Object.entries(types).map(([category, of]) => [category, of?.length])
    expect(Object.fromEntries(categories)).toEqual({
      flow: 14,
      interaction: 5,
      datamanagement: 4,
      integration: 6,
      cards: 7,
    })
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

  it.each([
    ['text', '[D-3A.05]', 'text attachments'],
    ['subdialog', '[D-3A.06]', 'subScenario'],
    ['gototask', '[D-3A.07]', 'task taskdialog'],
    [
      'prompt',
      '[D-3A.08]',
      'varname datatype variableschema mandatory overrideIntentHandler overrideIntents enableSuggestedActions intent entityconfidence maxRetries retryPrompt suggestionWhenDataAlreadyAvailable isPromptDynamic extractFromVariable jsonPathRuleForTitleExtractor jsonPathRuleForValueExtractor dataAvailableForSubDialogs dataAvailableForSubTasks data',
    ],
    [
      'prompt',
      '[D-3A.09]',
      'data.type data.text data.options data.validationType data.dateExtractType data.textStyle data.config.listStyle',
    ],
    ['schedule', '[D-3A.17]', 'scheduleUnit scheduleQuantity task taskdialog dontExecuteIfInConversation'],
    [
      'restservice',
      '[D-3A.20]',
      'methodType url retries input resultVariable errorVariable timeout headers formData oauthConfigName',
    ],
    ['rssfeed', '[D-3A.22]', 'numberOfNews headers timeout'],
    [
      'workinghour',
      '[D-3A.24]',
      'specificHolidaysMenu holidayTypes specificHolidays country state timezone startTime endTime hours.saturday.closed',
    ],
    [
      'connecttoagent',
      '[D-3A.26]',
      'agentSystem queue urls contactId agentId protocol customFields transcript confirmation',
    ],
    [
      'productcard',
      '[D-3A.27]',
      'messageType headerType headerContent bodyContent footerContent singleProductCatalogId singleProductId multiProductCatalogId destination sections.title sections.productList.productId varname',
    ],
    ['assignuserdata', '[D-3A.30]', 'name email cpf telephone gender dob city carteirinha plantype vip contract'],
    ['variablecard', '[D-3A.31]', 'title subtitle text image thumbnailimage buttons varname'],
    ['mediacard', '[D-3A.33]', 'mediaCardType media'],
    ['receiptcard', '[D-3A.34]', 'specificToChannel facts items'],
    [
      'receiptcard',
      '[D-3A.35]',
      'recipient_name merchant_name order_number currency payment_method order_url timestamp address.street_1 address.street_2 address.city address.postal_code address.state address.country summary.subtotal summary.shipping_cost summary.total_tax summary.total_cost adjustments.name adjustments.amount elements.title elements.subtitle elements.quantity elements.price elements.currency elements.image_url',
    ],
  ] as const)('%s has all that the specification names %s', (type, _, names) => {
    const declared = fieldsOf(blocks[type].fields).map(({ path }) => path.join('.'))
    expect(names.split(' ').filter(name => !declared.includes(name))).toEqual([])
  })

  it.each([
    ['prompt', 'data.type', '[D-5.19]', 'text number time confirm choice location attachment'],
    ['prompt', 'data.config.listStyle', '[D-5.20]', 'auto button inline list'],
    ['prompt', 'data.dateExtractType', '[D-5.21]', 'date time datetime day month year'],
    ['prompt', 'data.textStyle', '', 'password'],
    ['herocard', 'heroCardType', '[D-3A.32]', 'HeroCard ThumbnailCard'],
    ['mediacard', 'mediaCardType', '[D-3A.33]', 'Audio Video Animation'],
    ['herocard', 'buttons.type', '[D-9.17]', 'openUrl imBack postBack'],
    [
      'text',
      'attachments.contentType',
      '[D-9.18]',
      'image/png image/jpeg image/gif audio/mpeg audio/wav video/mpeg application/pdf',
    ],
    ['carousel', 'cards.itemType', '[D-9.19]', 'herocard mediacard'],
    ['receiptcard', 'specificToChannel', '[D-9.19]', 'microsoft_channels facebook'],
    ['restservice', 'methodType', '[D-9.20]', 'get post put patch delete'],
    ['rssfeed', 'rssItems', '[D-9.21]', 'Description Link Image'],
    ['workinghour', 'holidayTypes', '[D-9.22]', 'public bank school optional observance'],
    ['schedule', 'scheduleUnit', '[D-9.23]', 'minute hour day'],
  ] as const)('%s offers for %s what the specification lists %s', (type, name, _, values) => {
    const field = fieldsOf(blocks[type].fields).find(({ path }) => path.join('.') === name)?.field
    expect(field !== undefined && 'options' in field ? field.options : undefined).toEqual(values.split(' '))
  })

  it.each(['restservice', 'rssfeed'] as const)('%s offers the header that says who calls [D-9.20]', type => {
    const field = fieldsOf(blocks[type].fields).find(({ path }) => path.join('.') === 'headers.name')?.field

    expect(field).toMatchObject({ kind: 'string', offered: expect.arrayContaining(['Authorization']) })
  })

  it('check what they name: rules and conditions are on fields that there are', () => {
    for (const { type, fields, rules, summary = '', words } of all) {
      const found = fieldsOf(fields)
      const names = new Set(found.map(({ path }) => path.join('.')))
      const conditions = [...rules, ...found.map(({ field }) => field)].flatMap(({ when }) => Object.keys(when ?? {}))
      const summed = [...summary.matchAll(/\{([\w.]+)\}/gu)].map(([, name]) => name ?? '')
      const named = [
        ...rules.map(rule => rule.field),
        ...conditions,
        ...summed,
        ...(words === undefined ? [] : [words]),
      ]
      expect(
        named.filter(name => !names.has(name)),
        type,
      ).toEqual([])
    }
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
      for (const { check } of blocks[type].rules) expect(has([`check.${check}`]), check).toBe(true)
      expect(has([`type.${type}`]) && has([`description.${type}`]) && has([`category.${category}`]), type).toBe(true)
      for (const { id } of inputs) expect(has(blockLabel.input(type, id)), `${type} ${id}`).toBe(true)
      for (const { id } of outputs) expect(has(blockLabel.output(type, id)), `${type} ${id}`).toBe(true)
      for (const { path, field } of fieldsOf(fields)) {
        expect(has(blockLabel.field(type, path)), `${type} ${path}`).toBe(true)
        expect(has([`tab.${field.tab}`])).toBe(true)
        const options = field.kind === 'enumeration' || field.kind === 'strings' ? (field.options ?? []) : []
        for (const option of options) expect(has(blockLabel.option(path, option)), `${path} ${option}`).toBe(true)
      }
    }
  })
})

it('offers uploads for pictures and files, with fields beside them for type and name [P-1845]', () => {
  const uploads = all.flatMap(({ type, fields }) =>
    fieldsOf(fields).flatMap(({ path, field }) =>
      'upload' in field && field.upload !== undefined ? [{ type, path, upload: field.upload }] : [],
    ),
  )
  expect([...new Set(uploads.map(({ type }) => type))].sort()).toEqual(
    ['carousel', 'herocard', 'mediacard', 'receiptcard', 'text', 'variablecard'].sort(),
  )
  for (const { type, path, upload } of uploads)
    for (const name of [upload.type, upload.name].filter(each => each !== undefined)) {
      const beside = [...path.slice(0, -1), name].join('.')
      const known = fieldsOf(blocks[type as Type].fields).map(one => one.path.join('.'))
      expect(known, `${type} ${path.join('.')}`).toContain(beside)
    }
})
