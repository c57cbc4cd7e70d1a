export { MissingChannel } from './app/missing-channel.tsx'
export { OfAppList } from './app/of-app-list.tsx'
