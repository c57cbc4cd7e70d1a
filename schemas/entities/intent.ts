import { defineEntity } from '../entity.ts'
import { reference } from '../field/field.ts'
import { INTENT_FORM, INTENT_LIST, intentFields } from './intent-fields.ts'

/** An intent, with its statements. */
export const intent = defineEntity({
  name: 'intent',
  type: 'Intent',
  parent: 'nluproject',
  icon: 'Target',
  fields: { nluproject: reference('nluproject', { required: true, fixed: true }), ...intentFields },
  unique: [{ field: 'name', within: 'nluproject' }],
  title: 'name',
  list: INTENT_LIST,
  form: INTENT_FORM,
  actions: {},
  confirm: false,
  page: 'own',
  place: {},
})
