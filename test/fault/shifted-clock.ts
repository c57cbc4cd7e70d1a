import { readFileSync } from 'node:fs'

// Loaded before everything else, in every thread of a gateway under test: its clock is ahead of the machine's by what
// PARLEY_TEST_CLOCK, a file, says in milliseconds, and jumps whenever that changes. Time that passes is left alone.
const file = process.env.PARLEY_TEST_CLOCK ?? ''
const EVERY_MS = 20

let ahead = 0
const look = () => {
  ahead = Number(readFileSync(file, 'utf8'))
}
look()
setInterval(look, EVERY_MS).unref()

globalThis.Date = new Proxy(Date, {
  construct: (date, given, made) => Reflect.construct(date, given.length > 0 ? given : [date.now() + ahead], made),
  get: (date, name, receiver) => (name === 'now' ? () => date.now() + ahead : Reflect.get(date, name, receiver)),
})
