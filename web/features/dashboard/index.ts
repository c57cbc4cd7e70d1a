export { INK } from './day-bars.tsx'
export { DayCard } from './day-card.tsx'
