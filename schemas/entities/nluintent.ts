import { defineEntity } from '../entity.ts'
import { reference } from '../field/field.ts'
import { INTENT_FORM, INTENT_LIST, intentFields } from './intent-fields.ts'

/** A question of a brain, with the ways of asking it and its answers. */
export const nluintent = defineEntity({
  name: 'nluintent',
  type: 'NluIntent',
  parent: 'brain',
  icon: 'MessageCircleQuestionMark',
  fields: { brain: reference('brain', { required: true, fixed: true }), ...intentFields },
  unique: [{ field: 'name', within: 'brain' }],
  title: 'name',
  list: INTENT_LIST,
  form: INTENT_FORM,
  actions: {},
  confirm: false,
  page: 'own',
  place: {},
})
