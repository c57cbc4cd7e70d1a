export { LiveCard, LiveFigures } from './live.tsx'
