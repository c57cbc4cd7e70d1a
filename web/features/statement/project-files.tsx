import { Button } from '@chakra-ui/react'
import { Download, Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fileUrl } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { UploadDialog } from './upload-dialog.tsx'

const FORMATS = ['yaml', 'json'] as const

const download = (id: string, format: (typeof FORMATS)[number]) => {
  const link = document.createElement('a')
  link.href = fileUrl('/nluproject/{id}/download', { params: { id }, query: { format } })
  link.download = ''
  link.click()
}

/** Training data of a project out of a file, and into one. */
export const ProjectFiles = ({ project }: { readonly project: Row }) => {
  const { t } = useTranslation('nlu')
  const { can } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionMenu
        label={t('file.download')}
        actions={FORMATS.map(format => ({
          id: format,
          label: format.toUpperCase(),
          icon: Download,
          run: () => download(project.id, format),
        }))}
      >
        <Button>
          <Download size={15} aria-hidden="true" />
          {t('file.download')}
        </Button>
      </ActionMenu>
      {can('updatenluproject') ? (
        <Button onClick={() => setOpen(true)}>
          <Upload size={15} aria-hidden="true" />
          {t('file.import')}
        </Button>
      ) : null}
      {isOpen ? <UploadDialog project={project.id} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
