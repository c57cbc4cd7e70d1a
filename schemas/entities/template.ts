import { defineEntity } from '../entity.ts'
import { boolean, enumeration, file, integer, list, reference, string, strings, text, time } from '../field/field.ts'
import type { ItemField } from '../field/kind.ts'
import { SUBMITTED_PROVIDERS, TEMPLATE_PROVIDER_NAMES } from '../template-provider.ts'

const BUTTONS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'] as const
const CARD_BUTTONS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'] as const
const NOT_CODE = ['marketing', 'utility']
/** Longer texts are kept, so that what is too long for Meta can be shortened. */
const ROOM = 4096

/** One of the two buttons of a card. */
const cardButton = (number: 1 | 2): Readonly<Record<string, ItemField>> => {
  const name = `button${number}`
  return {
    [name]: enumeration(CARD_BUTTONS, number === 1 ? { initial: 'QUICK_REPLY' } : {}),
    [`${name}_text`]: string({ max: 200, count: 25, when: { [name]: [...CARD_BUTTONS] } }),
    [`${name}_url`]: string({ max: 2500, when: { [name]: ['URL'] } }),
    [`${name}_example`]: string({ max: 2500, when: { [name]: ['URL'] } }),
    [`${name}_phone_number`]: string({ max: 40, when: { [name]: ['PHONE_NUMBER'] } }),
  }
}

/** A message that WhatsApp approves before it is sent to people without a prior message. */
export const template = defineEntity({
  name: 'template',
  type: 'Template',
  parent: 'metaaccount',
  withoutParent: 'level',
  icon: 'LayoutTemplate',
  fields: {
    /** The account of Meta or the channel at whose provider it is registered. */
    metaaccount: reference('metaaccount', { fixed: true }),
    channel: reference('channel', { fixed: true, onTargetRemoved: 'remove' }),
    /** Type of the channel, which decides what of the template can be sent. */
    provider: enumeration(TEMPLATE_PROVIDER_NAMES, { readonly: true }),
    /** Id by which the provider knows it: of Gupshup, HX… of Twilio, of Zenvia. */
    provider_id: string({ max: 200 }),
    /** Names that the provider gives to values: `1` is `nome` in a template of Zenvia. */
    provider_fields: list(
      { variable: string({ required: true, max: 120 }), name: string({ required: true, max: 2000 }) },
      { maxItems: 100, itemTitle: 'variable' },
    ),
    templateName: string({ required: true, max: 512, pattern: /^[a-z0-9_]+$/u, rule: 'templatename' }),
    language: enumeration(['pt_BR', 'pt_PT', 'en', 'en_US', 'es'], { required: true, initial: 'pt_BR' }),
    category: enumeration(['marketing', 'utility', 'authentication'], { required: true, initial: 'marketing' }),
    templateType: enumeration(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'CAROUSEL'], {
      required: true,
      initial: 'TEXT',
      when: { category: NOT_CODE },
    }),
    parameter_format: enumeration(['positional', 'named'], { initial: 'positional', when: { category: NOT_CODE } }),
    /** Meta may change the category instead of refusing the template. */
    allow_category_change: boolean({ initial: true }),
    header: string({ max: 500, count: 60, when: { category: NOT_CODE, templateType: ['TEXT'] } }),
    header_example: string({ max: 500, when: { category: NOT_CODE, templateType: ['TEXT'] } }),
    header_file: file(['image/png', 'image/jpeg', 'video/mp4', 'application/pdf'], {
      when: { category: NOT_CODE, templateType: ['IMAGE', 'VIDEO', 'DOCUMENT'] },
    }),
    body: text({ max: ROOM, count: 1024, when: { category: NOT_CODE }, control: 'variables' }),
    params: list(
      {
        name: string({ required: true, max: 100 }),
        example: string({ max: ROOM }),
        /** Field of contacts that campaigns propose for it: `nome`, `field01` … `field16`. */
        source: string({ max: 10, pattern: /^(nome|field(0[1-9]|1[0-6]))$/u, rule: 'contactfield' }),
      },
      { when: { category: NOT_CODE }, control: 'examples' },
    ),
    footer: string({ max: 500, count: 60, when: { category: NOT_CODE } }),
    buttons: list(
      {
        type: enumeration(BUTTONS, { required: true, initial: 'QUICK_REPLY' }),
        text: string({ max: 200, count: 25, when: { type: ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'] } }),
        url: string({ max: 2500, when: { type: ['URL'] } }),
        phone_number: string({ max: 40, when: { type: ['PHONE_NUMBER'] } }),
        example: string({ max: 2500, when: { type: ['URL', 'COPY_CODE'] } }),
      },
      { itemTitle: 'text', when: { category: NOT_CODE } },
    ),
    cards: list(
      {
        headerType: enumeration(['IMAGE', 'VIDEO'], { required: true, initial: 'IMAGE' }),
        media: file(['image/png', 'image/jpeg', 'video/mp4']),
        body: text({ max: ROOM, count: 160, control: 'variables' }),
        examples: strings({ max: 1000, maxItems: 20 }),
        ...cardButton(1),
        ...cardButton(2),
      },
      { itemTitle: 'body', when: { category: NOT_CODE, templateType: ['CAROUSEL'] }, control: 'cards' },
    ),
    /** Label of the button that copies the code. */
    otp_text: string({ max: 200, count: 25, when: { category: ['authentication'] } }),
    add_security_recommendation: boolean({ when: { category: ['authentication'] } }),
    code_expiration_minutes: integer({ min: 1, max: 90, unit: 'min', when: { category: ['authentication'] } }),
    /** Whether it got to Meta. */
    submission: enumeration(['draft', 'submitting', 'submitted', 'failed', 'unknown'], {
      initial: 'draft',
      readonly: true,
    }),
    submitted_at: time({ readonly: true }),
    submission_error: string({ max: 1000, readonly: true }),
    /** Changed since it was submitted. */
    modified_since: boolean({ readonly: true }),
    /** State of Meta's review, as Meta spells it: APPROVED, REJECTED, PAUSED … Empty before submission. */
    status: string({ readonly: true }),
    reason: string({ max: 1000, readonly: true }),
    reviewed_at: time({ readonly: true }),
    /** GREEN, YELLOW, RED or UNKNOWN. */
    quality: string({ readonly: true }),
    old_category: string({ readonly: true }),
    external_id: string({ readonly: true }),
  },
  unique: [
    { field: ['language', 'templateName'], within: 'metaaccount' },
    { field: ['language', 'templateName'], within: 'channel' },
  ],
  title: 'templateName',
  list: {
    columns: [
      { field: 'templateName', as: 'name' },
      // The state first: a phone shows the first three columns that have a value.
      { field: 'submission', as: 'tags' },
      { field: 'status', as: 'tags' },
      { field: 'metaaccount', as: 'reference' },
      { field: 'channel', as: 'reference' },
      { field: 'language', as: 'tags' },
      { field: 'category', as: 'tags' },
      { field: 'quality', as: 'tags' },
      { field: 'reviewed_at', as: 'time' },
    ],
    search: ['templateName', 'body', 'footer', 'reason'],
  },
  form: [
    {
      id: 'general',
      fields: [
        'metaaccount',
        'channel',
        'templateName',
        'language',
        'category',
        'templateType',
        'parameter_format',
        'allow_category_change',
      ],
    },
    { id: 'header', fields: ['header', 'header_example', 'header_file'] },
    { id: 'text', fields: ['body', 'params', 'footer'] },
    { id: 'buttons', fields: ['buttons'] },
    { id: 'cards', fields: ['cards'] },
    { id: 'provider', fields: ['provider', 'provider_id', 'provider_fields'] },
    { id: 'code', fields: ['otp_text', 'add_security_recommendation', 'code_expiration_minutes'] },
  ],
  preview: 'template',
  actions: {
    submit: {
      icon: 'Send',
      on: ['page', 'row'],
      confirm: 'question',
      // Without a provider it is of an account of Meta.
      when: { provider: [null, ...SUBMITTED_PROVIDERS] },
    },
  },
  probes: ['withdraw'],
  page: 'own',
  place: {
    list: '/campaignmanagement/channel/app/template/search',
    hub: { page: 'campaignmanagement', order: 20 },
  },
})
