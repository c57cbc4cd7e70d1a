export { UnrecognizedPage } from './unrecognized-page.tsx'
