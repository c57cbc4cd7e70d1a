import type { BlockRule } from '../block.ts'
import { DATA_TYPES } from '../entities/variable.ts'
import { type BlockFields, blockField as f } from '../flow/block-field.ts'

/** In the order of JavaScript's day of the week. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

type Rules = Pick<BlockRule, 'when'> & { readonly severity?: BlockRule['severity'] }

/** An address of the web; one whose host is left out works only where something is put before it, and stops nobody. */
export const addressRules = (field: string, { severity = 'error', ...when }: Rules = {}): readonly BlockRule[] => [
  { field, check: 'address', severity, ...when },
  { field, check: 'host', severity: 'warning', ...when },
]

/** Media types that a message may carry. */
export const ATTACHMENT_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'audio/mpeg',
  'audio/wav',
  'video/mpeg',
  'application/pdf',
] as const

/** A header of a call; offers common names. */
export const headerFields = {
  name: f.string({
    offered: ['Authorization', 'Accept', 'Accept-Language', 'Content-Type', 'User-Agent', 'X-API-Key'],
  }),
  value: f.expression(),
} satisfies BlockFields

/** Storage and retries of a question's answer; the prompt and the cards that wait for an answer share it. */
export const promptFields = {
  varname: f.reference('variable', { tab: 'answer' }),
  datatype: f.enumeration(DATA_TYPES, { tab: 'answer', initial: '', open: true }),
  variableschema: f.reference('variableschema', { tab: 'answer', when: { datatype: ['object', 'array'] } }),
  mandatory: f.switch(true, { tab: 'answer' }),
  maxRetries: f.integer(3, { tab: 'answer', max: 100 }),
  retryPrompt: f.rich({ tab: 'answer' }),
  suggestionWhenDataAlreadyAvailable: f.rich({ tab: 'answer' }),
  dataAvailableForSubDialogs: f.switch(false, { tab: 'answer' }),
  dataAvailableForSubTasks: f.switch(false, { tab: 'answer' }),
  overrideIntentHandler: f.switch(false, { tab: 'rules' }),
  overrideIntents: f.strings({ tab: 'rules', when: { overrideIntentHandler: [true] } }),
  enableSuggestedActions: f.switch(false, { tab: 'rules' }),
  intent: f.string({ tab: 'rules', when: { enableSuggestedActions: [true] } }),
  entityconfidence: f.integer(70, { tab: 'rules', max: 100, unit: '%' }),
} satisfies BlockFields

/** Fields of drawings for people: a tint, and their size in flow pixels. */
export const shapeFields = (tint: string, width: number, height: number) => ({
  tint: f.enumeration(['yellow', 'blue', 'green', 'red', 'grey'], { initial: tint }),
  width: f.integer(width, { min: 80, max: 20_000, unit: 'px', half: true }),
  height: f.integer(height, { min: 60, max: 20_000, unit: 'px', half: true }),
})

/** A picture, sound or film with its words. */
export const mediaFields = {
  title: f.expression(),
  text: f.rich(),
  uri: f.expression({ upload: { accept: 'media', type: 'type' } }),
  type: f.enumeration(ATTACHMENT_TYPES, { initial: '', open: true }),
  aspectRatio: f.enumeration(['1:1', '16:9', '4:3', '3:4'], { initial: '', open: true }),
} satisfies BlockFields

/** Actions of a button. */
const CARD_ACTIONS = ['openUrl', 'imBack', 'postBack'] as const

/** A card's button: its action and value. */
export const buttonFields = {
  type: f.enumeration(CARD_ACTIONS, { open: true }),
  title: f.string(),
  value: f.expression(),
} satisfies BlockFields

/** A button says something; one that opens an address has one. */
export const buttonRules = (list: string): readonly BlockRule[] => [
  { field: `${list}.title`, check: 'required', severity: 'warning' },
  { field: `${list}.value`, check: 'required', severity: 'warning' },
  ...addressRules(`${list}.value`, { when: { [`${list}.type`]: ['openUrl'] } }),
]

/** Content of a card; the variable, hero and other cards share it. */
export const cardFields = {
  title: f.expression(),
  subtitle: f.expression(),
  text: f.rich(),
  image: f.expression({ upload: { accept: 'picture' } }),
  thumbnailimage: f.expression({ upload: { accept: 'picture' } }),
  buttons: f.list(buttonFields, { max: 10 }),
} satisfies BlockFields

export const cardRules: readonly BlockRule[] = [
  { field: 'image', check: 'picture', severity: 'warning' },
  { field: 'thumbnailimage', check: 'picture', severity: 'warning' },
  ...buttonRules('buttons'),
]
