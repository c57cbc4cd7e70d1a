import { createRequire } from 'node:module'

/** The client's own generated definitions, which are CommonJS. */
type Streams = typeof import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js')
type Shared = typeof import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js')
type Status = typeof import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/status_pb.js')
type Features = typeof import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/serverfeatures_pb.js')
type StreamsService = typeof import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js')
type FeaturesService =
  typeof import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/serverfeatures_grpc_pb.js')

const require = createRequire(import.meta.url)
const GENERATED = '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1'

export const streams: Streams = require(`${GENERATED}/streams_pb.js`)
export const shared: Shared = require(`${GENERATED}/shared_pb.js`)
export const rpcStatus: Status = require(`${GENERATED}/status_pb.js`)
export const features: Features = require(`${GENERATED}/serverfeatures_pb.js`)
export const streamsService: StreamsService = require(`${GENERATED}/streams_grpc_pb.js`)
export const featuresService: FeaturesService = require(`${GENERATED}/serverfeatures_grpc_pb.js`)
export const protobuf: {
  readonly Any: typeof import('google-protobuf/google/protobuf/any_pb.js').Any
  readonly Empty: typeof import('google-protobuf/google/protobuf/empty_pb.js').Empty
} = {
  ...require('google-protobuf/google/protobuf/any_pb.js'),
  ...require('google-protobuf/google/protobuf/empty_pb.js'),
}
