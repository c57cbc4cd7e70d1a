import { DATA_TYPES } from '../entities/variable.ts'
import { type BlockFields, blockField as f } from '../flow/block-field.ts'

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
