import { defineEntity } from '../entity.ts'
import { enumeration, reference } from '../field/field.ts'

/** Makes the console's search look into the texts of one kind of thing, in all bots or one, not at names alone. */
export const sitesearchindex = defineEntity({
  name: 'sitesearchindex',
  type: 'SiteSearchIndex',
  parent: 'level',
  icon: 'ScanSearch',
  fields: {
    entity_type: enumeration(['dialog', 'handler', 'codesample', 'localemessage', 'intent'], { required: true }),
    bot: reference('bot', { onTargetRemoved: 'clear' }),
    nluproject: reference('nluproject', { onTargetRemoved: 'clear', when: { entity_type: ['intent'] } }),
  },
  title: 'entity_type',
  list: {
    columns: [
      { field: 'entity_type', as: 'name' },
      { field: 'bot', as: 'reference' },
    ],
    search: ['entity_type'],
  },
  form: [{ id: 'general', fields: ['entity_type', 'bot', 'nluproject'] }],
  place: { menu: { group: 'reach', order: 40 }, hub: { page: 'appsettings', order: 60 }, botList: true },
})
