/* Reading constraint instances of any kind. */
#include "models/instance.h"

#include <string.h>

#include "csp/json.h"
#include "scsp/json.h"
#include "scsp/xcsp3.h"

static alea_status from_json(alea_network_instance *in, const alea_network_instance_source *source,
                             alea_mem *mem, alea_diag *diag, bool *late) {
  csp_json r = {.mem = mem, .diag = diag, .file = source->file, .deadline = source->deadline};
  bool limit;
  json_t *root = csp_json_parse(&r, source->text, source->length, &limit);
  if (limit && !mem->hit_limit) *late = true;
  if (root == NULL) return limit ? ALEA_LIMIT : ALEA_INPUT;
  const char *type = json_string_value(json_object_get(root, "type"));
  alea_status status = ALEA_INPUT;
  if (type == NULL) type = "csp";
  if (strcmp(type, "csp") == 0)
    in->csp = alea_csp_read_json(mem, root, source->file, diag, &status);
  else if (strcmp(type, "strategic") == 0)
    in->strategic = alea_strategic_read_json(mem, root, source->file, diag, &status);
  else if (strcmp(type, "scsp") == 0)
    in->scsp = alea_scsp_read_json(mem, root, source->file, diag, &status);
  else if (strcmp(type, "process") == 0)
    in->process = alea_process_read_json(mem, root, source->file, diag, &status);
  else
    csp_json_at(&r, "type", SIZE_MAX), csp_json_error(&r, "unknown type", type);
  json_decref(root);
  csp_json_locate(diag, source->text, source->length);
  return status;
}

static alea_status from_xcsp3(alea_network_instance *in, const alea_network_instance_source *source,
                              alea_mem *mem, alea_diag *diag) {
  alea_xcsp3 read;
  alea_status status =
      alea_xcsp3_read(&read, mem, source->text, source->length, source->file, diag);
  if (status != ALEA_OK) return status;
  if (read.quantifiers.count != 0) {
    in->strategic = alea_xcsp3_take_strategic(&read, mem);
    status =
        in->strategic == NULL ? ALEA_SYSTEM : alea_csp_state(alea_strategic_network(in->strategic));
  } else if (read.chances.count != 0) {
    in->scsp = alea_xcsp3_take_scsp(&read, mem);
    status = in->scsp == NULL ? ALEA_SYSTEM : alea_scsp_state(in->scsp);
  } else {
    in->csp = read.csp;
    read.csp = NULL;
  }
  alea_xcsp3_clear(&read, mem);
  return status;
}

alea_status alea_network_instance_read(alea_network_instance *instance,
                                       const alea_network_instance_source *source, alea_mem *mem,
                                       alea_diag *diag, bool *late) {
  *instance = (alea_network_instance){0};
  bool json = source->text[strspn(source->text, " \t\r\n")] == '{';
  return json ? from_json(instance, source, mem, diag, late)
              : from_xcsp3(instance, source, mem, diag);
}

void alea_network_instance_clear(alea_network_instance *instance) {
  alea_csp_free(instance->csp);
  alea_strategic_free(instance->strategic);
  alea_scsp_free(instance->scsp);
  if (instance->process != NULL) alea_process_free(instance->process);
  *instance = (alea_network_instance){0};
}
