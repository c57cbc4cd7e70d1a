export { BotResultsCard } from './bot-results.tsx'
export { FigureLink } from './figure.tsx'
export { countText } from './insight-text.ts'
export { LiveCard, LiveFigures } from './live.tsx'
