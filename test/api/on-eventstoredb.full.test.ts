// A representative part of the suite with EventStoreDB's double behind every gateway; `npm run test:eventstore` runs all.
process.env.PARLEY_TEST_STORE = 'eventstoredb'
await import('./entity.test.ts')
await import('./event.test.ts')
await import('./flow.test.ts')

export {}
