import { defineBlock } from '../block.ts'
import { blockField as f } from '../flow/block-field.ts'

/** A weekday's own times; '' is as on other days. */
const weekday = (closed: boolean) =>
  f.group({
    closed: f.switch(closed),
    startTime: f.string({ control: 'clock' }),
    endTime: f.string({ control: 'clock' }),
  })

const chosen = { specificHolidaysMenu: [true] }

export const workinghour = defineBlock({
  type: 'workinghour',
  category: 'flow',
  icon: 'BriefcaseBusiness',
  summary: '{startTime}–{endTime} · {state} · {timezone}',
  outputs: ['output_1', 'output_outside'],
  panel: 'openings',
  fields: {
    timezone: f.string({ initial: 'America/Sao_Paulo', control: 'timezone' }),
    startTime: f.string({ initial: '08:00', control: 'clock', half: true }),
    endTime: f.string({ initial: '18:00', control: 'clock', half: true }),
    hours: f.group(
      {
        monday: weekday(false),
        tuesday: weekday(false),
        wednesday: weekday(false),
        thursday: weekday(false),
        friday: weekday(false),
        saturday: weekday(true),
        sunday: weekday(true),
      },
      { control: 'week' },
    ),
    country: f.string({ initial: 'BR', control: 'country', half: true }),
    state: f.string({ control: 'state', half: true }),
    holidayTypes: f.strings({
      initial: ['public'],
      options: ['public', 'bank', 'school', 'optional', 'observance'],
    }),
    specificHolidaysMenu: f.switch(false),
    specificHolidays: f.list({ date: f.string({ control: 'date' }), name: f.string() }, { when: chosen }),
  },
  rules: [
    { field: 'startTime', check: 'required', severity: 'error' },
    { field: 'endTime', check: 'required', severity: 'error' },
    { field: 'startTime', check: 'clock', severity: 'error' },
    { field: 'endTime', check: 'clock', severity: 'error' },
    { field: 'timezone', check: 'timezone', severity: 'error' },
    { field: 'specificHolidays.date', check: 'required', severity: 'warning', when: chosen },
    { field: 'specificHolidays.date', check: 'date', severity: 'error', when: chosen },
  ],
})
