export { BotResultsCard } from './bot-results.tsx'
export { LiveCard, LiveFigures } from './live.tsx'
