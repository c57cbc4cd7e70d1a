export { BotResultsCard } from './bot-results.tsx'
export { FigureLink, RoundedNote } from './figure.tsx'
export { countText, hourOfMeasure } from './insight-text.ts'
export { LiveCard, LiveFigures } from './live.tsx'
