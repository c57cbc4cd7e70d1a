export { DayCard, INK } from './day-bars.tsx'
