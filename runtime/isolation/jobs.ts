import type { composeChecked } from '#domain/compose/check-compose.ts'
import type * as segmentRows from '../campaign/audience/segment-job.ts'
import type * as contactPlan from '../campaign/audience/upload/plan-job.ts'
import type * as contactPreview from '../campaign/audience/upload/preview.ts'
import type * as contactRejects from '../campaign/audience/upload/rejects-job.ts'
import type * as pattern from '../nlu/pattern-job.ts'
import type * as read from '../nlu/read-job.ts'
import type * as training from '../nlu/training-job.ts'
import type * as rehearsal from '../simulation/rehearsal/rehearsal-job.ts'
import type * as expression from './expression/expression-job.ts'
import type * as holidays from './holidays-job.ts'
import type * as feed from './read-feed.ts'
import type * as script from './script/script-job.ts'
import { SCRIPT_LIMITS } from './script/script-run.ts'
import type { testErrors, testsOf } from './test-file-job.ts'
import type { checkFile, openFile } from './version-file-job.ts'
import type { JobKind, Run } from './work.ts'

const MB = 1_000_000

const kind = <M extends { readonly run: Run }>(
  module: URL,
  limits: Omit<JobKind, 'module' | 'of'>,
): JobKind<M['run']> => ({ ...limits, module })

/** Expressions of one question, templates, patterns and paths. */
export const EXPRESSIONS = kind<typeof expression>(new URL('./expression/expression-job.ts', import.meta.url), {
  ...{ lane: 'turn', ms: 1000, memory: 400, input: 32 * MB, answer: 32 * MB },
})

/** Rules and schemas over the records of a file. */
export const RECORDS = kind<typeof expression>(new URL('./expression/expression-job.ts', import.meta.url), {
  ...{ lane: 'file', ms: 10_000, memory: 600, input: 32 * MB, answer: 32 * MB },
})

export const SCRIPT = kind<typeof script>(new URL('./script/script-job.ts', import.meta.url), {
  ...{ lane: 'turn', ms: SCRIPT_LIMITS.time, memory: 400, input: 8 * MB, answer: 4 * MB },
})

/** Regexes of a project over one text. */
export const PATTERNS = kind<typeof pattern>(new URL('../nlu/pattern-job.ts', import.meta.url), {
  ...{ lane: 'turn', ms: 100, memory: 400, input: 8 * MB, answer: MB },
})

export const FEED = kind<typeof feed>(new URL('./read-feed.ts', import.meta.url), {
  ...{ lane: 'turn', ms: 5_000, memory: 400, input: 16 * MB, answer: 4 * MB },
})

/** Contacts of separated values and workbooks, 1 MB: the first rows. */
export const CONTACT_PREVIEW = kind<typeof contactPreview>(
  new URL('../campaign/audience/upload/preview.ts', import.meta.url),
  {
    ...{ lane: 'file', ms: 30_000, memory: 800, input: 4 * MB, answer: 32 * MB },
  },
)

/** All contacts of a file: the numbers of 65,000 lines take some 4 s. */
export const CONTACT_PLAN = kind<typeof contactPlan>(
  new URL('../campaign/audience/upload/plan-job.ts', import.meta.url),
  {
    ...{ lane: 'file', ms: 60_000, memory: 800, input: 256 * MB, answer: 256 * MB },
  },
)

/** Contacts compared with the rule of a segment: 2,000 take some 60 ms. */
export const SEGMENT_ROWS = kind<typeof segmentRows>(new URL('../campaign/audience/segment-job.ts', import.meta.url), {
  ...{ lane: 'file', ms: 10_000, memory: 600, input: 64 * MB, answer: MB },
})

/** Rejected lines of a file, with their reasons. */
export const CONTACT_REJECTS = kind<typeof contactRejects>(
  new URL('../campaign/audience/upload/rejects-job.ts', import.meta.url),
  {
    ...{ lane: 'file', ms: 30_000, memory: 800, input: 128 * MB, answer: 128 * MB },
  },
)

/** Holidays of a year in a place: not foreign, but the main thread need not load the calendars. */
export const HOLIDAYS = kind<typeof holidays>(new URL('./holidays-job.ts', import.meta.url), {
  ...{ lane: 'file', ms: 10_000, memory: 600, input: 1000, answer: MB },
})

/** Recorded conversations run through a draft. */
export const REHEARSAL = kind<typeof rehearsal>(new URL('../simulation/rehearsal/rehearsal-job.ts', import.meta.url), {
  ...{ lane: 'file', ms: 60_000, memory: 600, input: 64 * MB, answer: 8 * MB },
})

/** Files of conversation tests, 256 kB. */
export const TEST_FILE = kind<{ run: typeof testErrors }>(new URL('./test-file-job.ts', import.meta.url), {
  job: 'testErrors',
  ...{ lane: 'file', ms: 5_000, memory: 600, input: 32 * MB, answer: 8 * MB },
})

/** Compose files, 500 kB. */
export const COMPOSE_FILE = kind<{ run: typeof composeChecked }>(
  new URL('../../domain/compose/check-compose.ts', import.meta.url),
  {
    job: 'composeChecked',
    ...{ lane: 'file', ms: 5_000, memory: 600, input: 2 * MB, answer: MB },
  },
)

/** Conversations of other systems that become tests, 1 MB. */
export const STORIES = kind<{ run: typeof testsOf }>(new URL('./test-file-job.ts', import.meta.url), {
  job: 'testsOf',
  ...{ lane: 'file', ms: 2_000, memory: 600, input: 4 * MB, answer: 16 * MB },
})

/** Uploaded version files, 64 MB. */
export const VERSION_CHECK = kind<{ run: typeof checkFile }>(new URL('./version-file-job.ts', import.meta.url), {
  job: 'checkFile',
  ...{ lane: 'version', ms: 60_000, memory: 1800, input: 72 * MB, answer: MB },
})

/** Stored versions, packed; unpacked up to 256 MB. */
export const VERSION_OPEN = kind<{ run: typeof openFile }>(new URL('./version-file-job.ts', import.meta.url), {
  job: 'openFile',
  ...{ lane: 'version', ms: 60_000, memory: 1800, input: 288 * MB, answer: 16 * MB },
})

/** Training data of other systems. */
export const NLU_FILE = kind<typeof read>(new URL('../nlu/read-job.ts', import.meta.url), {
  ...{ lane: 'file', ms: 30_000, memory: 1000, input: 32 * MB, answer: 128 * MB },
})

export const TRAINING = kind<typeof training>(new URL('../nlu/training-job.ts', import.meta.url), {
  ...{ lane: 'training', ms: 20 * 60_000, memory: 3000, input: 256 * MB, answer: 512 * MB },
})

/** Kinds that a process loads before its first job: people wait for them. */
export const WARM_JOBS: readonly JobKind[] = [EXPRESSIONS as JobKind, SCRIPT as JobKind, PATTERNS as JobKind]
