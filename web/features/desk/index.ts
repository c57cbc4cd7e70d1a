export { TakeOver } from './take-over.tsx'
