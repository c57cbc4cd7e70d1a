import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

export const workinghour = defineBlock({
  type: 'workinghour',
  category: 'flow',
  icon: 'BriefcaseBusiness',
  outputs: ['output_1', 'output_outside'],
  fields: {
    country: f.string({ initial: 'BR' }),
    state: f.string(),
    timezone: f.string({ initial: 'America/Sao_Paulo' }),
    startTime: f.string({ initial: '08:00' }),
    endTime: f.string({ initial: '18:00' }),
    saturday: f.switch(false),
    sunday: f.switch(false),
    specificHolidaysMenu: f.switch(false, { tab: 'rules' }),
    holidayTypes: f.strings({ tab: 'rules' }),
    specificHolidays: f.list({ date: f.string(), name: f.string() }, { tab: 'rules' }),
  },
})
