import { chakra } from '@chakra-ui/react'
import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FILE_TYPES, IMAGE_TYPES, MAX_UPLOAD_BYTES } from '#schemas/field/file-type.ts'
import type { FileUpload } from '#schemas/flow/block-field.ts'
import { useSession } from '#web/api/session.ts'
import { UploadProgress } from '#web/components/upload-progress.tsx'
import { type CloudUpload, useCloudUpload } from '#web/form/control/use-cloud-upload.ts'

const ACCEPT: Readonly<Record<FileUpload['accept'], readonly string[]>> = {
  picture: IMAGE_TYPES,
  media: FILE_TYPES.filter(type => /^(?:image|audio|video)\//u.test(type)),
  file: FILE_TYPES,
}

interface UploadButtonProps {
  readonly accept: FileUpload['accept']
  readonly onUploaded: (file: CloudUpload) => void
}

/** Uploads a file whose address goes into the field above; absent without the right to add files. */
export const UploadButton = ({ accept, onUploaded }: UploadButtonProps) => {
  const { t } = useTranslation('designer')
  const { can } = useSession()
  const input = useRef<HTMLInputElement>(null)
  const { upload, progress } = useCloudUpload({
    ...{ accept: ACCEPT[accept], maxBytes: MAX_UPLOAD_BYTES, isRenamed: true },
    onUploaded,
  })
  if (!can('createcloudfile')) return null
  return (
    <>
      <chakra.input
        ref={input}
        type="file"
        display="none"
        aria-label={t(`upload.${accept}`)}
        accept={ACCEPT[accept].join(',')}
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file !== undefined) void upload(file)
        }}
      />
      <button type="button" className="pl-open" disabled={progress.busy} onClick={() => input.current?.click()}>
        <Upload size={13} aria-hidden />
        {t(`upload.${accept}`)}
      </button>
      <UploadProgress {...progress} />
    </>
  )
}
