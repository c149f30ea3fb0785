//! `form-data.yaml` and `file-uploads.yaml` of the examples: forms by the URL standard, parts by
//! RFC 7578.
use bothends_wire_tests::wire::{answers, sends};
use serde_json::json;

#[test]
fn a_form() {
    let spec = "corpus_3_0_yaml_form_data";
    sends(
        spec,
        "demoFormData",
        json!([false, {"client_id": "a b", "client_secret": "&=+%é", "scope": 7}, 0,
            {"access_token": 1, "token_type": "t", "expires_in": 2}]),
        "/anything\ncontent-type: application/x-www-form-urlencoded\n\n\
         client_id=a+b&client_secret=%26%3D%2B%25%C3%A9&scope=7",
    );
    sends(spec, "demoFormData", json!([true, 1]), "/anything");
    answers(
        spec,
        "demoFormData",
        json!([true, 0, {"access_token": 1, "token_type": "t", "expires_in": 2}]),
        "200\ncontent-type: application/json\n\n\
         {\"access_token\":1,\"token_type\":\"t\",\"expires_in\":2}",
    );
    answers(spec, "demoFormData", json!([true, 1]), "401");
}

#[test]
fn files() {
    let spec = "corpus_3_0_yaml_file_uploads";
    sends(
        spec,
        "post anything image-png",
        json!([false, [137, 80, 78, 71], 0]),
        "/anything/image-png\ncontent-type: image/png\n\n\u{fffd}PNG",
    );
    sends(
        spec,
        "post anything multipart-formdata",
        json!([false, {"orderId": 7, "documentFile": "text"}, 0]),
        "/anything/multipart-formdata\n\
         content-type: multipart/form-data; boundary=bothends-0000000000000000\n\n\
         --bothends-0000000000000000\r\n\
         Content-Disposition: form-data; name=\"orderId\"\r\n\r\n\
         7\r\n\
         --bothends-0000000000000000\r\n\
         Content-Disposition: form-data; name=\"documentFile\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n\
         text\r\n\
         --bothends-0000000000000000--\r\n",
    );
    sends(
        spec,
        "put anything multipart-formdata",
        json!([false, {"filename": ["one", "two"]}, 0]),
        "/anything/multipart-formdata\n\
         content-type: multipart/form-data; boundary=bothends-0000000000000000\n\n\
         --bothends-0000000000000000\r\n\
         Content-Disposition: form-data; name=\"filename\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n\
         one\r\n\
         --bothends-0000000000000000\r\n\
         Content-Disposition: form-data; name=\"filename\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n\
         two\r\n\
         --bothends-0000000000000000--\r\n",
    );
}
