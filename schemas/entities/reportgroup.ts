import { defineEntity } from '../entity.ts'
import { references, string, strings } from '../field/field.ts'

/** Grants reports to the members of its user groups. `actions`: their rights beyond seeing them. */
export const reportgroup = defineEntity({
  name: 'reportgroup',
  type: 'ReportGroup',
  parent: 'level',
  icon: 'FolderLock',
  fields: {
    name: string({ required: true }),
    actions: strings({ options: ['readreport', 'downloadreport'], initial: ['readreport'] }),
    reports: references('report', { onTargetRemoved: 'clear' }),
    usergroups: references('usergroup', { onTargetRemoved: 'clear' }),
  },
  list: {
    columns: [
      { field: 'name', as: 'name' },
      { field: 'reports', as: 'tags' },
      { field: 'usergroups', as: 'tags' },
    ],
    search: ['name'],
  },
  form: [
    { id: 'general', fields: ['name', 'actions'] },
    { id: 'access', fields: ['reports', 'usergroups'] },
  ],
  place: { hub: { page: 'reports', order: 30 } },
})
