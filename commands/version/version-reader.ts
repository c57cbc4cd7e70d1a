import { version as versionEntity } from '#schemas/entities/version.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import type { Pieces } from '../packed-text.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { contentFor, openContent } from './apply-version.ts'
import { readContent } from './content.ts'
import { type Preview, previewVersion } from './preview.ts'

/** Reads versions. The caller checks who may. Undefined: there is no such version. */
export interface VersionReader {
  /** The version file as JSON, packed by gzip. */
  versionContent(id: string): Promise<Pieces | undefined>
  /** The version file without its flows. */
  versionOutline(id: string): Promise<Result<VersionFile> | undefined>
  /** Changes that applying a version would make, and the version file without its flows. */
  versionPreview(
    id: string,
    caller: Caller,
  ): Promise<Result<{ readonly preview: Preview; readonly file: VersionFile }> | undefined>
}

export const versionReader = (context: CommandContext): VersionReader => {
  const loaded = async (id: string) => {
    const { state } = await context.loader.load(versionEntity, id)
    return state.status === 'live' ? state : undefined
  }
  return {
    async versionContent(id) {
      return (await loaded(id)) === undefined ? undefined : readContent(context, id)
    },
    async versionOutline(id) {
      const version = await loaded(id)
      const opened = version && (await openContent(context, version))
      return opened?.ok ? accepted(opened.value.file) : opened
    },
    async versionPreview(id, caller) {
      const version = await loaded(id)
      const whole = version && (await contentFor(context, version))
      if (version === undefined || whole === undefined) return undefined
      if (!whole.ok) return whole.refusal.code === 'request.toomany' ? whole : undefined
      const { content, bot } = whole.value
      return accepted({ preview: await previewVersion(context, { version, content, bot, caller }), file: content.file })
    },
  }
}
