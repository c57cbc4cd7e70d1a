import { hostname } from 'node:os'

/** Name of this node for people. Two gateways on one machine differ by their process. */
export const NODE_NAME = `${hostname()}-${process.pid}`
